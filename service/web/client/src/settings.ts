/** How a person likes the table: kept in this browser, told to the style sheets by attributes of the document. */

import type { ToldBoard, ToldBoards } from "./board.ts";
import { buttonNode, htmlNode } from "./markup.ts";

const KEPT = "kibitz-settings";

/** What a setting is called, and its choices. */
type Choices = [string, ...[string, string][]];

/** Each setting with its choices, `[value, words]`; the first one is as usual. */
const CHOICES = {
  felt: ["Felt", ["green", "Green"], ["blue", "Blue"], ["wine", "Wine"], ["paper", "Plain"]],
  back: ["Backs of cards", ["blue", "Blue"], ["red", "Red"], ["green", "Green"], ["night", "Black"]],
  pack: ["Suits", ["two", "Two colours"], ["four", "Four colours"]],
  courts: ["Courts", ["figures", "Plain figures"], ["pictures", "Pictures of a printed pack"]],
  indices: ["Indices", ["usual", "Usual"], ["large", "Large"]],
  hand: ["Hand", ["right", "Right-handed"], ["left", "Left-handed: the table is mirrored"]],
  safe: ["Safe cards", ["stay", "Wait for you"], ["home", "Go home by themselves, once nothing in play needs them"]],
  sounds: ["Sounds", ["off", "Off"], ["on", "On"]],
} satisfies Record<string, Choices>;

type Name = keyof typeof CHOICES;

/** A value for each setting. */
export type Settings = Record<Name, string>;

const NAMES = Object.keys(CHOICES) as Name[];

/** What was kept; what cannot be read, or is offered no more, is as usual. */
export function keptSettings(): Settings {
  let kept: Partial<Settings> = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Settings>;
  } catch { /* a browser that keeps nothing, or what another program has kept */ }
  return Object.fromEntries(NAMES.map((name) => [name, known(name, kept[name])])) as Settings;
}

function known(name: Name, value: string | undefined): string {
  const [, ...choices]: Choices = CHOICES[name], values = choices.map(([one]) => one);
  return values.includes(value ?? "") ? value ?? "" : values[0] ?? "";
}

/** The style sheets hear of the settings. */
export function applySettings(settings: Settings): void {
  for (const name of NAMES) document.documentElement.dataset[name] = settings[name];
}

function keep(settings: Settings): void {
  applySettings(settings);
  try {
    localStorage.setItem(KEPT, JSON.stringify(settings));
  } catch { /* they hold for this page */ }
}

/** The dialog that shows and changes them; `changed` hears of each change. What is `idle` here is not offered. */
export function settingsDialog(settings: Settings, changed: () => void, idle: Name[] = []): HTMLDialogElement {
  const dialog = htmlNode("dialog", { class: "preferences", "aria-labelledby": "preferences" });
  const choose = (name: Name, value: string) => {
    settings[name] = value;
    keep(settings);
    changed();
  };
  dialog.append(htmlNode("h2", { id: "preferences" }, "Settings"),
    ...NAMES.filter((name) => !idle.includes(name)).map((name) => choiceOf(name, settings[name], (value) => choose(name, value))),
    htmlNode("p", {}, "Kept in this browser. Whether cards glide follows your system's wish for less motion."),
    buttonNode("Done", () => dialog.close()));
  return dialog;
}

function choiceOf(name: Name, chosen: string, choose: (value: string) => void): HTMLElement {
  const [legend, ...choices]: Choices = CHOICES[name];
  const radios = choices.map(([value, words]) => htmlNode("label", {},
    htmlNode("input", { type: "radio", name: `setting-${name}`, value, checked: value === chosen, change: () => choose(value) }),
    ` ${words}`));
  return htmlNode("fieldset", { "data-setting": name }, htmlNode("legend", {}, legend), ...radios);
}

/** The boards for the hand that plays. */
export function boardsFor(settings: Settings, boards: ToldBoards): ToldBoards {
  return settings["hand"] === "left" ? mirrored(boards) : boards;
}

/** The boards as a left hand likes them: mirrored, what is spread to the right still is. */
export function mirrored({ wide, tall }: ToldBoards): ToldBoards {
  return { wide: mirroredBoard(wide), tall: mirroredBoard(tall) };
}

/** A board with figures, lines or turned places stays as it is: there sides mean something. */
function mirroredBoard(board: ToldBoard): ToldBoard {
  if (board.figures?.some(({ rows }) => !rows) || board.lines?.length || board.places.some(({ turn }) => turn)) return board;
  const places = board.places.map((one) => {
    const wide = one.spread === "right" ? Math.max(one.room ?? 1, one.scale ?? 1) : one.scale ?? 1;
    return { ...one, x: board.width - one.x - wide };
  });
  const flipped = <Part extends { x: number; width: number }>(parts: Part[] = []) => parts.map((one) => ({ ...one, x: board.width - one.x - one.width }));
  return { ...board, places, seats: flipped(board.seats), figures: flipped(board.figures) };
}
