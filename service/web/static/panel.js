/** What may be said besides touching the table: buttons by kind, a list where one kind is long, and a board of cells. */

import { cellPicker, hasCells } from "./cells.js";
import { complete, sayings } from "./choosing.js";
import { buttonNode, htmlNode, selectNode } from "./markup.js";
import { commandName, kindName, valuesName } from "./naming.js";

const BUTTONS_MOST = 10;
const APART = ["game/undo", "game/resign"];

/** The panel for a choice; `heard` has say(command), narrow(name or null), back(); `words` are {labels, faces}. */
export function panelFor(choice, apart, heard, words, facts) {
  const groups = Map.groupBy(sayings(choice), (saying) => saying.type);
  const buttons = [...groups.values()].map((group) => groupNode(choice, group, heard, words));
  return htmlNode("div", { class: "choices" },
    ...buttons, ...cellPicker(choice, heard, facts), chosenNode(choice, heard), apartNode(apart, heard));
}

/** The commands that are never made on the table, apart from the others: undo, resign. */
export function setApart(commands) {
  const apart = commands.filter((command) => APART.includes(command.type));
  return [commands.filter((command) => !apart.includes(command)), apart];
}

function groupNode(choice, group, heard, words) {
  const whole = new Set(complete(choice));
  const entries = group.flatMap((saying) => entriesOf(saying, whole, choice, words));
  if (!entries.length) return "";
  const node = htmlNode("div", { class: "choice-group", role: "group", "aria-label": kindName(group[0]) });
  const few = entries.length <= BUTTONS_MOST;
  node.append(...(few ? entries.map((entry) => entryButton(entry, choice, heard)) : longList(entries, group[0], heard)));
  return node;
}

/** {text, command} for what can be said now, {text, name} for what narrows the choice, none for what is touched. */
function entriesOf(saying, whole, choice, { labels, faces }) {
  if (hasCells(saying)) return [];
  const ready = saying.options.filter((option) => whole.has(option) && (choice.touched.length || !option.slots.length));
  if (ready.length) {
    return ready.map((option) => ({ text: commandName(shortened(option), labels, faces), command: option.command }));
  }
  const text = `${kindName(saying)}: ${valuesName(saying.values, labels, faces)}`;
  return Object.keys(saying.values).length ? [{ text, name: saying.name }] : [];
}

/** A command without the zones it goes from and to, which can be seen. */
function shortened({ command, set }) {
  const { source, target, ...rest } = command;
  return set ? rest : command;
}

function entryButton(entry, choice, heard) {
  const { text, command, name } = entry, pressed = choice.said === name;
  if (command) return buttonNode(text, () => heard.say(command), { class: "say", "data-say": command.type });
  return buttonNode(text, () => heard.narrow(pressed ? null : name), { class: "narrow", "aria-pressed": String(pressed) });
}

function longList(entries, kind, heard) {
  const choices = entries.map((entry, place) => [place, entry.text]);
  const select = selectNode(kindName(kind), choices, () => {}, { class: "long" });
  const press = () => pickEntry(entries[Number(select.value)], heard);
  return [select, buttonNode(kindName(kind), press, { class: "say", "data-say": kind.type })];
}

function pickEntry(entry, heard) {
  if (entry.command) heard.say(entry.command);
  else heard.narrow(entry.name);
}

function chosenNode(choice, heard) {
  if (!choice.touched.length && choice.said === null) return "";
  const count = choice.touched.length, text = count ? `${count} chosen` : "";
  return htmlNode("div", { class: "chosen" }, text, buttonNode("Take back", heard.back, { class: "back" }));
}

/** Resigning asks first. */
function apartNode(apart, heard) {
  const node = htmlNode("div", { class: "apart" });
  node.append(...apart.map((command) => {
    const say = () => heard.say(command), ask = () => askFirst(node, command, say);
    return buttonNode(kindName(command), command.type === "game/resign" ? ask : say, { "data-say": command.type });
  }));
  return node;
}

function askFirst(node, command, say) {
  const before = [...node.childNodes], name = kindName(command);
  const no = buttonNode("No", () => node.replaceChildren(...before));
  const yes = buttonNode(`Yes, ${name}`, say, { "data-sure": command.type });
  node.replaceChildren(htmlNode("span", {}, `Really ${name}?`), yes, no);
  no.focus();
}
