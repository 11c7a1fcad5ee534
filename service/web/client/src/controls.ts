/** The replay's controls: the strip of steps, buttons, speed, moments, viewer, link, and the same by keys. */

import type { ViewerChoice } from "./api.ts";
import type { Moment } from "./api_types.ts";
import { buttonNode, htmlNode, selectNode, svgNode } from "./markup.ts";
import type { Timeline } from "./timeline.ts";

/** The speed at which a replay takes the time that its players took. */
export const AS_PLAYED = 0;
export const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const SPEED_CHOICES: [string, string][] = [
  [String(AS_PLAYED), "As played"], ...SPEEDS.map((speed): [string, string] => [String(speed), `${speed}×`]),
];
/** What the keys do, as the dialog lists it. */
export type KeyList = [keys: string, what: string][];

const KEYS: KeyList = [
  ["← →", "one step back, one step on"], ["Home End", "first step, last step"], ["Space", "play, pause"],
  ["[ ]", "the moment before, the next one"], ["+ -", "faster, slower"], ["?", "these keys"],
];
const ICONS = {
  first: "M2 2h2v12H2zM9 2v12L4 8zM14 2v12L9 8z", previous: "M11 2v12L3 8z", play: "M3 1v14l11-7z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  next: "M5 2v12l8-6z", last: "M12 2h2v12h-2zM7 2v12l5-6zM2 2v12l5-6z",
};
const TYPED = "input, textarea, select";

/** What buttons and keys do. */
export interface Actions {
  first: () => void;
  previous: () => void;
  next: () => void;
  last: () => void;
  play: () => void;
  moment: (step: string) => void;
  momentBefore: () => void;
  momentAfter: () => void;
  speed: (speed: string) => void;
  faster: () => void;
  slower: () => void;
  viewer: (key: string) => void;
  link: () => void;
  keys: () => void;
}

/** What the controls show of the player. */
export interface ControlState {
  step: number;
  steps: number;
  playing: boolean;
  speed: number;
  viewer: string;
  viewers: ViewerChoice[];
  moments: Moment[];
  following: boolean;
  live: boolean;
}

/** `keys`: the dialog that lists what keys do; it stands by itself, since who plays does not see the controls. `list`: adds
 * further ones, first. */
export interface Controls {
  node: HTMLElement;
  keys: HTMLDialogElement;
  list: (title: string, keys: KeyList) => void;
  update: (state: ControlState) => void;
}

type Parts = ReturnType<typeof partsOf>;

/** The bar of controls for these actions, under this strip. */
export function controlsFor(actions: Actions, viewers: ViewerChoice[], timeline: Timeline): Controls {
  const part = partsOf(actions, viewers);
  const node = htmlNode("div", { class: "controls", role: "group", "aria-label": "Replay" }, timeline.node,
    htmlNode("div", { class: "control-buttons" },
      part.first, part.previous, part.play, part.next, part.last, part.where, part.live),
    htmlNode("div", { class: "control-more" },
      part.before, part.moment, part.after, part.speed, part.viewer, part.link, part.help));
  return {
    node, keys: part.keys, list: (title, keys) => part.keys.firstElementChild?.after(...keyList(title, keys)),
    update: (state) => {
      timeline.update(state.step, state.steps, state.moments);
      updateControls(part, state);
    },
  };
}

function partsOf(actions: Actions, viewers: ViewerChoice[]) {
  return {
    first: iconButton("first", "First step", actions.first),
    previous: iconButton("previous", "Previous step", actions.previous),
    play: iconButton("play", "Play", actions.play), next: iconButton("next", "Next step", actions.next),
    last: iconButton("last", "Last step", actions.last),
    live: buttonNode("● Live", actions.last, { class: "live", hidden: true }),
    where: htmlNode("output", { class: "where" }),
    before: buttonNode("[", actions.momentBefore, { "aria-label": "Previous moment", title: "Previous moment" }),
    after: buttonNode("]", actions.momentAfter, { "aria-label": "Next moment", title: "Next moment" }),
    moment: selectNode("Moments", [["", "Moments"]], actions.moment, { class: "moments" }),
    speed: selectNode("Speed", SPEED_CHOICES, actions.speed, { class: "speed" }),
    viewer: selectNode("Seen by", viewers.map(({ key, label }) => [key, label]), actions.viewer, { class: "viewer" }),
    link: buttonNode("Copy link", actions.link, { class: "link" }),
    help: buttonNode("?", actions.keys, { "aria-label": "Keys", title: "Keys" }), keys: keysDialog(),
  };
}

/** A button with a picture; its class is the picture's name. */
function iconButton(picture: keyof typeof ICONS, name: string, press: () => void): HTMLButtonElement {
  const button = buttonNode("", press, { class: picture, "aria-label": name, title: name });
  const path = svgNode("path", { d: ICONS[picture] });
  button.append(svgNode("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, path));
  return button;
}

function keysDialog(): HTMLDialogElement {
  const dialog = htmlNode("dialog", { class: "keys", "aria-label": "Keys" });
  dialog.append(htmlNode("h2", {}, "Keys"), ...keyList("Replay", KEYS), buttonNode("Close", () => dialog.close()));
  return dialog;
}

function keyList(title: string, keys: KeyList): HTMLElement[] {
  const pairs = keys.flatMap(([key, what]) => [htmlNode("dt", {}, key), htmlNode("dd", {}, what)]);
  return [htmlNode("h3", {}, title), htmlNode("dl", {}, ...pairs)];
}

function updateControls(part: Parts, state: ControlState): void {
  const { step, steps, playing, speed, viewer, viewers, moments, following, live } = state;
  const last = steps - 1;
  part.where.textContent = `${step} / ${last}`;
  part.play.querySelector("path")?.setAttribute("d", playing ? ICONS.pause : ICONS.play);
  for (const name of ["aria-label", "title"]) part.play.setAttribute(name, playing ? "Pause" : "Play");
  for (const button of [part.first, part.previous]) button.disabled = step <= 0;
  for (const button of [part.next, part.last]) button.disabled = step >= last;
  part.live.hidden = !live;
  part.live.classList.toggle("behind", !following);
  part.live.textContent = following ? "● Live" : `● Live: ${last - step} more`;
  part.speed.value = String(speed);
  fillViewers(part.viewer, viewers);
  part.viewer.value = viewer;
  fillMoments(part, moments, step);
}

function fillViewers(select: HTMLSelectElement, viewers: ViewerChoice[]): void {
  if (select.options.length === viewers.length) return;
  select.replaceChildren(...viewers.map(({ key, label }) => htmlNode("option", { value: key }, label)));
}

function fillMoments(part: Parts, moments: Moment[], step: number): void {
  if (part.moment.options.length !== moments.length + 1) {
    const options = moments.map((moment) => htmlNode("option", { value: moment.step }, `${moment.step}: ${moment.sentence}`));
    part.moment.replaceChildren(htmlNode("option", { value: "" }, "Moments"), ...options);
  }
  part.moment.value = moments.some((moment) => moment.step === step) ? String(step) : "";
  part.before.disabled = !moments.some((moment) => moment.step < step);
  part.after.disabled = !moments.some((moment) => moment.step > step);
}

/** What the keys do, while nobody types and no button wants the key for itself. */
export function listenToKeys(actions: Actions): void {
  const keys: Record<string, () => void> = {
    ArrowLeft: actions.previous, ArrowRight: actions.next, Home: actions.first, End: actions.last, " ": actions.play,
    "[": actions.momentBefore, "]": actions.momentAfter, "+": actions.faster, "-": actions.slower, "?": actions.keys,
  };
  document.addEventListener("keydown", (event) => {
    const where = event.target as Element, act = keys[event.key];
    const busy = event.ctrlKey || event.metaKey || event.altKey || where.closest(TYPED);
    const pressed = event.key === " " && where.closest("button, a, summary, [role=button]");
    if (busy || pressed || !act || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    act();
  });
}
