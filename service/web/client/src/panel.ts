/** What may be said besides touching the table: buttons by kind, a list where one kind is long, and a board of cells. */

import { cellPicker, hasCells } from "./cells.ts";
import type { Command, Faces } from "./api_types.ts";
import { type Choice, type Option, type Saying, complete, sayings } from "./choosing.ts";
import { buttonNode, htmlNode, selectNode, setAttributes } from "./markup.ts";
import type { Offers } from "./offers.ts";
import { commandName, isCardList, SIGNS, kindName, valueName, valuesName } from "./naming.ts";
import type { Player } from "./player.ts";

const BUTTONS_MOST = 10;

/** Who listens to the panel; `narrow` is given the name of a saying, or null for any. */
export interface PanelHeard {
  say: (command: Command) => void;
  narrow: (name: string | null) => void;
  back: () => void;
}

/** Words for zones by their ids, and for cards; what has a plate is named as there, and not asked for here; `counts`: who
 * resigns has lost. */
interface Words {
  labels: Record<string, string>;
  faces: Faces;
  offers?: Offers;
  counts?: boolean;
}

/** What can be said now (`command`), or narrows the choice (`name`); `short` will do beside others of its kind. */
type Entry = { text: string; command: Command } | { text: string; short: string; name: string };

/** The panel for a choice and for commands that stand apart. */
export function panelFor(
  choice: Choice, apart: Command[], heard: PanelHeard, words: Words, facts: unknown,
): HTMLElement {
  const groups = Map.groupBy(sayings(choice), (saying) => saying.type);
  const buttons = [...groups.values()].map((group) => groupNode(choice, group, heard, words));
  return htmlNode("div", { class: "choices" },
    ...buttons, ...cellPicker(choice, heard, facts), chosenNode(choice, heard), apartNode(apart, heard, words.counts));
}

/** A table and what may be said beside it. */
type Played = Pick<Player, "svg" | "panel">;

/** Fills the panel anew; `listed`: it is known what may be done, and the focus is brought back if it is lost. */
export function fillPanel(played: Played, nodes: (HTMLElement | string)[], listed = true): void {
  noteFocus(played);
  played.panel.replaceChildren(...nodes);
  if (listed) keepFocus(played);
}

/** Where the keyboard is, before what has it goes: at a zone of the table, this one or its own, or at a button by its name. */
export function noteFocus({ svg, panel }: Played, zone?: string): void {
  const here = document.activeElement, place = svg.contains(here) ? here?.closest<SVGElement>("[data-zone], [data-place]")?.dataset : undefined;
  const held = here?.matches(":focus-visible") && here.closest(".panel, .offers") ? nameOf(here) : undefined;
  if (!place && held === undefined) return;
  setAttributes(svg, { "data-focus": place ? zone ?? place["zone"] ?? place["place"] : null });
  setAttributes(panel, { "data-focus": held });
}

/** The focus stays where the game is played: what had it may have moved away, or cannot be chosen any more and loses it when
 * next painted. While nothing can be chosen the board itself has it. */
function keepFocus({ svg, panel }: Played): void {
  const zone = svg.dataset["focus"], name = panel.dataset["focus"], here = document.activeElement;
  const lost = here === document.body || here === svg || (svg.contains(here) && !here?.matches("[tabindex='0']"));
  if (!lost || (zone ?? name) === undefined) return;
  const places = [...svg.querySelectorAll<SVGElement>("[tabindex='0']")], buttons = [...panel.querySelectorAll<HTMLElement>("button:enabled")];
  const there = places.findLast((node) => (node.dataset["zone"] ?? node.dataset["place"]) === zone);
  const same = buttons.find((button) => nameOf(button) === name), first = buttons.find((button) => !button.closest(".apart"));
  (same ?? there ?? (name === undefined ? places[0] ?? first : first ?? places[0]) ?? svg).focus({ preventScroll: true });
}

function nameOf(button: Element): string {
  return button.ariaLabel ?? button.textContent;
}

function groupNode(choice: Choice, group: Saying[], heard: PanelHeard, words: Words): HTMLElement | string {
  const whole = new Set(complete(choice));
  const entries = group.flatMap((saying) => entriesOf(saying, whole, choice, words));
  if (!entries.length || !group[0]) return "";
  const node = htmlNode("div", { class: "choice-group", role: "group", "aria-label": kindName(group[0]) });
  const box = biddingBox(entries, heard);
  if (box) {
    node.append(box);
    return node;
  }
  const few = entries.length <= BUTTONS_MOST, named = few && entries.length > 1 && entries.every((entry) => "short" in entry);
  if (named) node.append(htmlNode("span", { class: "group-name" }, kindName(group[0])));
  const buttons = () => entries.map((entry) => entryButton(entry, choice, heard, named));
  node.append(...(few ? buttons() : longList(entries, kindName(group[0]), group[0].type, heard)));
  return node;
}

/** None for what is touched. */
function entriesOf(saying: Saying, whole: Set<Option>, choice: Choice, { labels, faces, offers }: Words): Entry[] {
  if (hasCells(saying)) return [];
  const ready = saying.options.filter((option) => whole.has(option) && (choice.touched.length || !option.slots.length));
  if (ready.length) {
    const plate = saying.type === offers?.tag ? offers.plates?.find(({ said }) => said === Object.values(saying.values).join(" ")) : undefined;
    return ready.map((option) => ({ text: plate ? bought(plate.name, option, faces) : commandName(shortened(option), labels, faces), command: option.command }));
  }
  if (saying.type === offers?.tag) return [];
  const values = Object.values(saying.values), words = valuesName(saying.values, labels, faces);
  const text = `${kindName(saying)}: ${words}`, plain = values.every((value) => typeof value === "string");
  const short = plain ? values.map((value) => valueName(value, labels, faces)).join(", ") : words;
  return values.length ? [{ text, short, name: saying.name }] : [];
}

/** What is had, and the cards that are paid for it. */
function bought(name: string, { command }: Option, faces: Faces): string {
  return `${name} for ${valueName(Object.values(command).find(isCardList) ?? "", {}, faces)}`;
}

/** A command without the zones it goes from and to, which can be seen. */
function shortened({ command, set }: Option): Command {
  const { source, target, ...rest } = command;
  return set ? rest : command;
}

function entryButton(entry: Entry, choice: Choice, heard: PanelHeard, named: boolean): HTMLElement {
  if ("command" in entry) {
    const { text, command } = entry;
    return buttonNode(text, () => heard.say(command), { class: "say", "data-say": command.type, "data-command": JSON.stringify(command) });
  }
  const { text, short, name } = entry, pressed = choice.saying === name;
  return buttonNode(named ? short : text, () => heard.narrow(pressed ? null : name), { class: "narrow", "aria-pressed": String(pressed) });
}

/** A number and a word to choose: a column for each number, a row for each word, in the order of the fullest column. */
function biddingBox(entries: Entry[], heard: PanelHeard): HTMLElement | null {
  const bids = entries.flatMap((entry) => {
    const { type: _, ...values } = "command" in entry ? entry.command : { type: "" }, [level, word] = Object.values(values);
    return "command" in entry && typeof level === "number" && typeof word === "string" ? [{ ...entry, level, word }] : [];
  });
  const columns = [...Map.groupBy(bids, ({ level }) => level).values()];
  const fullest = columns.toSorted((some, other) => other.length - some.length)[0] ?? [];
  if (bids.length !== entries.length || columns.length < 2 || fullest.length < 2) return null;
  return htmlNode("div", { class: "bidding-box" }, ...fullest.map(({ word }) => htmlNode("div", { class: "bid-row" },
    ...columns.map((column) => {
      const bid = column.find((other) => other.word === word);
      if (!bid) return htmlNode("span");
      const named = { class: "say bid", "data-say": bid.command.type, "data-word": word, "aria-label": bid.text, "data-command": JSON.stringify(bid.command) };
      return buttonNode(`${bid.level}\u2009${SIGNS[word] ?? word}`, () => heard.say(bid.command), named);
    }))));
}

function longList(entries: Entry[], name: string, type: string, heard: PanelHeard): HTMLElement[] {
  const choices = entries.map((entry, place): [string, string] => [String(place), entry.text]);
  const select = selectNode(name, choices, () => {}, { class: "long" });
  const press = () => pickEntry(entries[Number(select.value)], heard);
  return [select, buttonNode(name, press, { class: "say", "data-say": type })];
}

function pickEntry(entry: Entry | undefined, heard: PanelHeard): void {
  if (!entry) return;
  if ("command" in entry) heard.say(entry.command);
  else heard.narrow(entry.name);
}

function chosenNode(choice: Choice, heard: PanelHeard): HTMLElement | string {
  if (!choice.touched.length && choice.saying === null) return "";
  const count = choice.touched.length, text = count ? `${count} chosen` : "";
  return htmlNode("div", { class: "chosen" }, text, buttonNode("Take back", heard.back, { class: "back" }));
}

/** Resigning asks first; undo is among the tools. */
function apartNode(apart: Command[], heard: PanelHeard, counts = false): HTMLElement {
  const node = htmlNode("div", { class: "apart" });
  node.append(...apart.filter(({ type }) => type === "game/resign").map((command) => {
    const ask = () => askFirst(node, command, counts, () => heard.say(command));
    return buttonNode(kindName(command), ask, { "data-say": command.type });
  }));
  return node;
}

function askFirst(node: HTMLElement, command: Command, counts: boolean, say: () => void): void {
  const before = [...node.childNodes], name = kindName(command);
  const no = buttonNode("No", () => {
    node.replaceChildren(...before);
    node.querySelector("button")?.focus();
  });
  const yes = buttonNode(`Yes, ${name}`, say, { "data-sure": command.type });
  node.replaceChildren(htmlNode("span", {}, `Really ${name}?${counts ? " It counts as lost." : ""}`), yes, no);
  no.focus();
}
