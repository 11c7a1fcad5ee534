/** The replay player: one game seen by one viewer at one step, and the ways to another step. */

import type { Source, ViewerChoice } from "./api.ts";
import type { Facts, Frame, Moment, View } from "./api_types.ts";
import { boardsOf } from "./boards.ts";
import { chipText } from "./chips.ts";
import { note, pauseBefore } from "./clock.ts";
import { AS_PLAYED, type Actions, type Controls, SPEEDS, controlsFor, listenToKeys } from "./controls.ts";
import { factList } from "./facts.ts";
import { type Frames, framesOf } from "./frames.ts";
import { type Missed, traceMoves } from "./hindsight.ts";
import { copyLink, linkedStep, writeLink } from "./link.ts";
import { type Tell, announcer, htmlNode, svgNode } from "./markup.ts";
import { type MoveList, moveListFor } from "./moves.ts";
import { nameMoment, namePlayers, resultLine, statusLine } from "./outcome.ts";
import { untilAnswered } from "./patience.ts";
import { type Table, tableIn } from "./table.ts";
import { type Timeline, timelineFor } from "./timeline.ts";

export const STEP_TIME = 1000;
const FLIGHT_TIME = 280, AHEAD = 12;

/** What is shown, and the parts of the page that show it. `ticket` and `look`
 * count wishes for a step and for a viewer; `addressed`: the page's address says its step; who is `following` goes along
 * with a live game; `missed`: the move that would still have won; `aside`: the table shows something else than its step; `asksControls`: who
 * plays wants the replay's controls; `runs` is what runs instead of the replay while the game is played. */
export interface Player {
  source: Source;
  frames: Frames;
  viewers: ViewerChoice[];
  viewer: string;
  step: number;
  frame: Frame | null;
  moments: Moment[];
  speed: number;
  timer: number | null;
  writing: number | undefined;
  live: boolean;
  addressed: boolean;
  ticket: number;
  look: number;
  following: boolean;
  missed: Missed | null;
  aside: boolean;
  asksControls: boolean;
  runs: (() => void) | null;
  listeners: ((what: "viewer" | "frame") => void)[];
  tell: Tell;
  table: Table;
  timeline: Timeline;
  controls: Controls;
  moves: MoveList;
  svg: SVGSVGElement;
  region: HTMLElement;
  banner: HTMLElement;
  status: HTMLElement;
  facts: HTMLElement;
  boards: HTMLElement;
  chips: HTMLElement;
  panel: HTMLElement;
  readonly steps: number;
}

/** Starts a player in `root`; `begin` has it before its first step is shown. Resolves to it after that. */
export async function startPlayer(
  root: HTMLElement, source: Source, begin: (player: Player) => void = () => {},
): Promise<Player> {
  const player = build(root, source), actions = actionsOf(player);
  begin(player);
  player.addressed = true;
  listenToKeys(actions);
  addEventListener("hashchange", () => void obeyAddress(player));
  await obeyAddress(player, true);
  return player;
}

/** Starts a player that others lead: without controls, keys and an address of its own. */
export async function startPane(root: HTMLElement, source: Source): Promise<Player> {
  const player = build(root, source);
  player.controls.node.remove();
  await lookAs(player, player.viewer, 0);
  return player;
}

/** A player laid out in `root`. */
function build(root: HTMLElement, source: Source): Player {
  const player = newPlayer(root, source) as Player, actions = actionsOf(player);
  const timeline = timelineFor(source, seatNames(source), (step) => void goTo(player, step));
  player.timeline = timeline;
  player.controls = controlsFor(actions, player.viewers, timeline);
  player.controls.node.hidden = source.game.status === "playing";
  player.moves = moveListFor(player.frames, (step) => void goTo(player, step));
  layOut(player, root);
  traceMoves(player);
  return player;
}

/** A player without controls, strip and moves: these act on it. */
function newPlayer(root: HTMLElement, source: Source): Omit<Player, "controls" | "timeline" | "moves"> {
  const region = root.querySelector<HTMLElement>(".told") ?? htmlNode("div", { class: "told", role: "status" });
  const svg = svgNode("svg", { class: "table" });
  return {
    source, region, svg, frames: framesOf(source), viewers: source.viewers, table: tableIn(svg, source),
    viewer: source.viewer, step: 0, speed: 1, timer: null, writing: undefined, moments: [], frame: null,
    live: false, addressed: false, listeners: [], ticket: 0, look: 0, following: true, missed: null, aside: false, asksControls: false, runs: null, tell: announcer(region),
    banner: htmlNode("p", { class: "banner", hidden: true }),
    status: root.querySelector<HTMLElement>(".bar > .status") ?? htmlNode("p", { class: "status" }),
    facts: htmlNode("div", { class: "fact-list" }), boards: htmlNode("div", { class: "boards" }),
    chips: root.querySelector<HTMLElement>(".bar > .chips") ?? htmlNode("ul", { class: "chips", "aria-label": "How it stands" }),
    panel: htmlNode("div", { class: "panel", role: "group", "aria-label": "Actions" }),
    get steps() { return this.frames.steps(this.viewer); },
  };
}

/** Round the words that the page may have brought with it: they stay where they are read already. */
function layOut(player: Player, root: HTMLElement): void {
  const { banner, status, chips, svg, panel, region, boards } = player;
  const bar = status.parentElement ?? htmlNode("div", { class: "bar" }, status, chips);
  const stage = region.parentElement ?? htmlNode("div", { class: "stage" }, region);
  bar.prepend(banner);
  for (const place of [...stage.children]) if (place !== region && place !== bar) place.remove();
  if (!bar.isConnected) region.before(bar);
  region.before(svg);
  region.after(panel);
  const open = matchMedia("(min-width: 62rem)").matches && !root.closest(".beside");
  const side = htmlNode("details", { class: "side", open, toggle: () => redraw(player) },
    htmlNode("summary", {}, "Moves and facts"),
    htmlNode("h2", {}, "Moves"), player.moves.node, htmlNode("h2", {}, "Facts"), player.facts, boards);
  const whole = stage.parentElement ?? htmlNode("div", {}, stage);
  whole.className = player.source.game.result ? "kibitz replay" : "kibitz";
  whole.append(player.controls.node, side, player.controls.keys);
  if (!root.contains(whole)) root.replaceChildren(whole);
}

function actionsOf(player: Player): Actions {
  const go = (step: number | undefined) => void goTo(player, step ?? player.step);
  return {
    first: () => go(0), previous: () => go(player.step - 1),
    next: () => go(player.step + 1), last: () => go(player.steps - 1),
    play: () => (player.runs && player.following ? player.runs() : player.timer ? stop(player) : run(player)),
    moment: (step) => { if (step !== "") go(Number(step)); },
    momentBefore: () => go(player.moments.findLast(({ step }) => step < player.step)?.step),
    momentAfter: () => go(player.moments.find(({ step }) => step > player.step)?.step),
    speed: (speed) => setSpeed(player, Number(speed)), faster: () => setSpeed(player, nextSpeed(player.speed, 1)),
    slower: () => setSpeed(player, nextSpeed(player.speed, -1)), viewer: (key) => void lookAs(player, key),
    link: () => void copyLink(player.step, player.viewer, player.tell),
    keys: () => player.controls.keys.showModal(),
  };
}

function nextSpeed(speed: number, by: number): number {
  return SPEEDS[Math.max(SPEEDS.indexOf(speed || 1) + by, 0)] ?? speed;
}

/** Milliseconds from one step to the next while a replay runs. */
function paceOf({ speed, source, step }: Player): number {
  return speed === AS_PLAYED ? pauseBefore(source.clock, step + 1) : STEP_TIME / speed;
}

export function setSpeed(player: Player, speed: number): void {
  player.speed = speed;
  redraw(player);
  for (const heard of player.listeners) heard("frame");
}

/** Goes to a step by somebody's wish: what was running stops. */
export function goTo(player: Player, step: number): Promise<void> {
  pause(player);
  return show(player, step);
}

/** Brings the table into the window, where somebody has asked for a step far below it. */
export function reveal({ svg }: Player): void {
  svg.parentElement?.scrollIntoView({ block: "nearest" });
}

/** Shows a step as soon as its frame is here; the latest wish wins, and who wishes for the newest step follows. */
export async function show(player: Player, wanted: number): Promise<void> {
  const step = Math.min(Math.max(wanted, 0), Math.max(player.steps - 1, 0)), ticket = (player.ticket += 1);
  const { viewer } = player;
  player.following = step >= player.steps - 1;
  const frame = player.frames.known(viewer, step)
    ?? await answered(player, () => player.frames.at(viewer, step), () => ticket === player.ticket);
  if (ticket !== player.ticket || viewer !== player.viewer || frame === null) return;
  player.step = step;
  drawFrame(player, frame);
}

/** What is asked until somebody answers, as long as it is wanted; null where it never is answered. */
function answered<Answer>(player: Player, work: () => Promise<Answer>, wanted: () => boolean): Promise<Answer | null> {
  const missed = () => player.tell("The server cannot be reached; trying again.");
  return untilAnswered(work, missed, wanted).catch((failure: Error) => {
    if (wanted()) player.tell(failure.message);
    return null;
  });
}

/** Looks through other eyes, at this step or (null) at the same one; the latest look wins. */
export async function lookAs(player: Player, key: string, step: number | null = null): Promise<void> {
  const look = (player.look += 1), ticket = player.ticket;
  player.viewer = key;
  const counted = await answered(player, () => player.frames.count(key), () => look === player.look);
  if (look !== player.look || counted === null) return;
  void loadMoments(player);
  if (ticket === player.ticket) await show(player, step ?? (player.following ? player.steps - 1 : player.step));
  for (const heard of player.listeners) heard("viewer");
}

async function loadMoments(player: Player): Promise<void> {
  const viewer = player.viewer;
  const moments = await player.source.moments(viewer).catch(() => []); // the seat may have been given back
  if (viewer === player.viewer) player.moments = moments.map((one) => nameMoment(one, player.source.game));
  redraw(player);
}

/** The game has gone on for this viewer: whoever stands at the newest step goes along. */
export async function goOn(player: Player, viewer: string, frame: Frame): Promise<void> {
  const followed = player.viewer === viewer && player.following && !player.timer;
  player.frames.add(viewer, frame);
  note(player.source.clock, frame);
  await (followed ? show(player, player.steps - 1) : redraw(player));
  if (frame.result) void loadMoments(player);
}

/** One drawing for each version: the answer to a command and the stream tell the same step, whichever comes first. */
function drawFrame(player: Player, frame: Frame): void {
  const before = player.frame, pace = paceOf(player);
  player.frame = frame;
  if (isDrawn(player, frame, before)) {
    redraw(player);
    for (const heard of player.listeners) heard("frame");
    return;
  }
  const flight = player.timer ? Math.min(FLIGHT_TIME, pace * 0.7) : FLIGHT_TIME;
  const near = before && Math.abs(frame.step - before.step) === 1;
  if (frame.view) drawView(player, frame.view, near && flight > 60 ? flight : 0, frame.result !== null);
  Object.assign(player.svg.dataset, { step: frame.step, version: frame.version, viewer: player.viewer });
  player.region.setAttribute("aria-live", player.timer && player.speed > 2 ? "off" : "polite");
  player.tell(...frame.sentences);
  redraw(player);
  for (const heard of player.listeners) heard("frame");
}

/** Draws a table and what it tells besides; cards glide for so many milliseconds. Once the game is over no chip is of use. */
export function drawView({ table, viewer, source, facts, chips, boards }: Player, view: View, flight: number, over = false): void {
  table.draw(view, { seat: seatOf(viewer), flight });
  facts.replaceChildren(factList(withoutChips(view.facts, source), source.faces));
  chips.replaceChildren(...(over ? [] : chipsOf(source, view)));
  boards.replaceChildren(...boardsOf(view, source.game, source.faces));
}

/** The chips that belong to no seat and say something. */
function chipsOf({ chips, game }: Source, { facts }: View): HTMLElement[] {
  const told = chips.filter((chip) => !chip.seat).map((chip) => namePlayers(chipText(chip, facts), game));
  return told.filter(Boolean).map((text) => htmlNode("li", { class: "chip" }, text));
}

function isDrawn({ svg, viewer }: Player, frame: Frame, before: Frame | null): boolean {
  const same = before?.version === frame.version && before.step === frame.step && before.status === frame.status;
  return same && svg.dataset["viewer"] === viewer && (before.view === null) === (frame.view === null);
}

/** The facts that no chip tells. */
function withoutChips(facts: Facts, { chips }: Source): Facts {
  const told = new Set(chips.map(({ fact }) => fact.replace(".@", "")));
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !told.has(name)));
}

/** What its seats are called: by their players, else by their numbers from 1. */
function seatNames({ game: { players, seats } }: Source): string[] {
  const count = typeof seats === "number" ? seats : seats.length;
  return Array.from({ length: count }, (_, seat) => players[seat] ?? `Player ${seat + 1}`);
}

/** The seat of a viewer's key, null of a spectator. */
export function seatOf(viewer: string): number | null {
  return viewer.startsWith("seat-") ? Number(viewer.slice(5)) : null;
}

/** Brings everything but the table up to date. */
export function redraw(player: Player): void {
  const { step, steps, speed, viewer, viewers, moments, following, live } = player;
  player.controls.update({ step, steps, speed, viewer, viewers, moments, following, live, playing: player.timer !== null });
  if (player.frame && player.moves.node.closest("details")?.open) player.moves.update(viewer, step, steps);
  const status = statusLine(player.frame, player.source);
  if (player.status.textContent !== status) player.status.textContent = status;
  player.banner.textContent = resultLine(player.frame, player.source.game);
  player.banner.hidden = player.banner.textContent === "";
  const { your_seats: own = [] } = player.source.game, plays = own.length === 1 && player.source.game.status === "playing";
  player.controls.node.hidden = plays && following && !player.asksControls;
  keepAddress(player);
}

/** Shows who plays the replay's controls, or takes them away; whoever looks back has them anyhow. */
export function showControls(player: Player, asked: boolean): void {
  player.asksControls = asked;
  redraw(player);
  for (const heard of player.listeners) heard("frame");
}

function run(player: Player): void {
  if (player.following) player.step = -1;
  const tick = async () => {
    await show(player, player.step + 1);
    void player.frames.at(player.viewer, Math.min(player.step + AHEAD, player.steps - 1)).catch(() => null);
    player.timer = player.timer && (player.following ? null : setTimeout(step, paceOf(player)));
    redraw(player);
  };
  const step = () => void tick();
  player.timer = setTimeout(step, 0);
  redraw(player);
}

function stop(player: Player): void {
  pause(player);
  redraw(player);
}

/** Stops what is running. */
function pause(player: Player): void {
  clearTimeout(player.timer ?? undefined);
  player.timer = null;
}

async function obeyAddress(player: Player, first = false): Promise<void> {
  const { step, viewer } = linkedStep();
  const known = player.viewers.find(({ key }) => key === viewer);
  if (!first && (viewer ?? player.viewer) === player.viewer && (step ?? player.step) === player.step) return;
  pause(player);
  await lookAs(player, known?.key ?? player.viewer, step ?? (first && player.source.game.result ? 0 : Infinity));
}

/** The address says what is shown, unless somebody has just changed it; while a replay runs it waits. */
function keepAddress(player: Player): void {
  clearTimeout(player.writing);
  if (player.timer || !player.frame || !player.addressed) return;
  const before = location.hash;
  player.writing = setTimeout(() => { if (location.hash === before) writeLink(player); }, 150);
}
