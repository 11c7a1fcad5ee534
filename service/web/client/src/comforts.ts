/** What stands beside the table for comfort: undo and redo, cards sent home, a hint, new deals, settings. */

import { type ApiSource, ask, gamePath } from "./api.ts";
import type { Command, Hint, View } from "./api_types.ts";
import type { ToldBoards } from "./board.ts";
import type { Choice, Option } from "./choosing.ts";
import { bestOption, hasHomes, nextHome, nextSafe, runOf, seesAll } from "./counsel.ts";
import { drawCourts, hasCourts } from "./courts.ts";
import { type Terms, askFirst, costOf, openDeal, restart, wayToRestart } from "./deals.ts";
import { watchForEnd } from "./ending.ts";
import { buttonNode, htmlNode, selectNode, svgNode } from "./markup.ts";
import { cardName, commandName } from "./naming.ts";
import { cardsOf } from "./placing.ts";
import type { Play } from "./play.ts";
import { type Plate, plateFor } from "./plate.ts";
import { type Player, STEP_TIME, seatOf, setSpeed, showControls } from "./player.ts";
import { type Settings, boardsFor, settingsDialog } from "./settings.ts";
import { playSound } from "./sounds.ts";
import { type Undone, followUndone, isSame } from "./undone.ts";

const ICONS = {
  undo: "M6 2.5v3.2c5 0 7.6 2.6 8.5 6.8-1.8-2.8-4.3-4-8.5-4v3.2L1.2 7.1z",
  redo: "M10 2.5v3.2c-5 0-7.6 2.6-8.5 6.8 1.8-2.8 4.3-4 8.5-4v3.2l4.8-4.6z",
  home: "M2 1.5h12v2H2zM8 5l5 5H9.6v5H6.4v-5H3z",
  run: "M3 1v14l11-7z",
  hint: "M8 1a4.7 4.7 0 0 0-2.7 8.5c.5.4.8.9.8 1.5h3.8c0-.6.3-1.1.8-1.5A4.7 4.7 0 0 0 8 1zM6 12h4v1.3H6zM6.8 14.2h2.4v1H6.8z",
  restart: "M8 2.6a5.7 5.7 0 1 0 5.6 4.5h-2.1A3.7 3.7 0 1 1 8 4.6V7l4.3-3.4L8 .2z",
  deal: "M7 2h2v5h5v2H9v5H7V9H2V7h5z",
  replay: "M2 3h2v10H2zM14 3v10L8.5 8zM9 3v10L3.5 8z",
  settings: "M1.5 3.2h6v1.6h-6zM11 3.2h3.5v1.6H11zM8 1.8h2.4v4.4H8zM1.5 11.2h2.6v1.6H1.5zM7.6 11.2h6.9v1.6H7.6zM4.6 9.8H7v4.4H4.6z",
} as const;

const HOME_PACE = 80, SAFE_PACE = 300, AT_ONCE = 16;
const PACES: [string, string][] = [["0.5", "Slow"], ["1", "Normal"], ["4", "Fast"], [String(AT_ONCE), "At once"]];
const UNPROVEN = "It looks useful; no solver has looked whether it wins.";

/** The keys of the table, and what they press; on a Mac ⌘ does what Ctrl does. */
const KEYS: [keys: string, what: string, tool?: keyof typeof ICONS][] = [
  ["Tab Enter", "go through what lights up, choose it"], ["← → ↑ ↓", "to the nearest card, once one has the focus"],
  ["Esc", "put the card back, take back what is chosen"], ["Ctrl+Z", "undo"], ["Ctrl+Y Ctrl+Shift+Z", "redo", "redo"],
  ["P", "let a game of luck run, or pause it", "run"], ["+ -", "its speed"], ["H", "hint", "hint"], ["N", "new deal", "deal"],
];

/** One page's comforts; `sending` while cards go home one after the other; `alone`: the command by which one has gone by
 * itself. */
interface Comforts {
  player: Player;
  source: ApiSource;
  play: Play;
  plate: Plate;
  terms: Terms;
  settings: Settings;
  undone: Undone;
  sending: boolean;
  alone: Command | null;
  timer: number | undefined;
}

type Buttons = Record<keyof typeof ICONS, HTMLButtonElement> & { pace: HTMLSelectElement };

/** Puts the tools beside the table of this player; `boards` are the boards as a right hand has them. */
export function startComforts(
  player: Player, source: ApiSource, play: Play, terms: Terms, settings: Settings, boards: ToldBoards,
): void {
  const plate = plateFor(player);
  const comforts: Comforts = {
    player, source, play, plate, terms, settings, undone: followUndone(player, () => update()), sending: false, alone: null, timer: undefined,
  };
  const idle = [...(hasCourts() ? [] : ["courts"] as const), ...(terms.autoplay ? [] : ["safe"] as const)];
  const dialog = settingsDialog(settings, () => obeySettings(comforts, boards), idle);
  const buttons = buttonsOf(comforts, dialog);
  const node = htmlNode("div", { class: "tools", role: "group", "aria-label": "Tools" }, plate.node, ...Object.values(buttons), dialog);
  player.svg.parentElement?.prepend(node);
  const update = () => updateButtons(comforts, buttons);
  play.listeners.push(update, () => sendNext(comforts));
  player.listeners.push(update);
  hearMoves(comforts);
  listenToStops(comforts, buttons, update);
  listenToKeys(buttons);
  player.controls.list("Table", KEYS.map(([keys, what]) => [keys.replaceAll("Ctrl+", isMac() ? "⌘" : "Ctrl+"), what]));
  watchForEnd(player, source, plate, terms, (won) => { if (settings["sounds"] === "on") playSound(won ? "won" : "over"); });
  update();
}

function obeySettings(comforts: Comforts, boards: ToldBoards): void {
  const { player, source, settings } = comforts;
  sendNext(comforts);
  source.boards = boardsFor(settings, boards);
  if (player.frame?.view) player.table.draw(player.frame.view, { seat: seatOf(player.viewer) });
  void drawCourts(settings["courts"] === "pictures");
  if (settings["sounds"] === "on") playSound("card");
}

function buttonsOf(comforts: Comforts, dialog: HTMLDialogElement): Buttons {
  const { play, source } = comforts;
  return {
    undo: toolButton("undo", "Undo", () => play.undo(), { "data-say": "game/undo" }),
    redo: toolButton("redo", "Redo", () => redo(comforts)),
    home: toolButton("home", "Send cards home", () => toggleSending(comforts), { "aria-pressed": "false" }),
    run: toolButton("run", "Let it run", () => toggleSending(comforts), { "aria-pressed": "false" }),
    pace: selectNode("Pace", PACES, (speed) => setSpeed(comforts.player, Number(speed)), { class: "tool pace" }),
    hint: toolButton("hint", "Hint", () => (source.game.hints ? void askForHint(comforts) : showHint(comforts, UNPROVEN))),
    restart: toolButton("restart", "Same deal again", () => void startAgain(comforts)),
    deal: toolButton("deal", "New deal", () => dealAnew(comforts)),
    replay: toolButton("replay", "Replay", () => showControls(comforts.player, !comforts.player.asksControls), { "aria-pressed": "false" }),
    settings: toolButton("settings", "Settings", () => dialog.showModal()),
  };
}

function toolButton(picture: keyof typeof ICONS, name: string, press: () => void, more = {}): HTMLButtonElement {
  const button = buttonNode("", press, { class: `tool ${picture}`, "aria-label": name, title: name, ...more });
  button.append(svgNode("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svgNode("path", { d: ICONS[picture] })));
  return button;
}

/** What cannot be done now is grey and keeps its place; what this game never has is not there. */
function updateButtons({ player, source, play, plate, terms, undone, sending }: Comforts, buttons: Buttons): void {
  const playing = player.frame?.status === "playing" && source.game.your_seats.length > 0, choice = play.choice();
  const held = playing && play.seat() !== null && choice === null;
  for (const name of ["undo", "redo"] as const) buttons[name].hidden = !playing || !terms.undoes;
  buttons.home.hidden = !playing || !(player.frame?.view && hasHomes(player.frame.view));
  if (choice || !playing) player.runs = choice && playing && runOf(choice) ? () => buttons.run.click() : null;
  buttons.run.hidden = buttons.pace.hidden = !player.runs;
  buttons.pace.value = PACES.findLast(([pace]) => Number(pace) <= (player.speed || 1))?.[0] ?? "1";
  buttons.run.setAttribute("aria-pressed", String(sending));
  buttons.run.querySelector("path")?.setAttribute("d", sending ? "M3 2h4v12H3zM9 2h4v12H9z" : ICONS.run);
  for (const name of ["aria-label", "title"]) buttons.run.setAttribute(name, sending ? "Pause" : "Let it run");
  buttons.hint.hidden = Boolean(player.runs) || !playing || source.game.rated || terms.withheld;
  buttons.replay.hidden = !playing;
  buttons.replay.setAttribute("aria-pressed", String(!player.controls.node.hidden));
  buttons.undo.disabled = !play.undoes() || play.seat() === null;
  buttons.redo.disabled = undone() === null || play.seat() === null;
  buttons.restart.disabled = wayToRestart(player, source, play, plate.begun(), terms) === null;
  if (held) return;
  const view = player.frame?.view;
  buttons.home.disabled = !sending && !(choice && view && seesAll(view) && nextHome(choice));
  buttons.hint.disabled = !(choice && view && (source.game.hints || bestOption(choice, view, null)));
  buttons.home.setAttribute("aria-pressed", String(sending));
}

function redo({ play, player, undone }: Comforts): void {
  const command = undone(), listed = play.choice()?.options.find((option) => isSame(option.command, command ?? undefined));
  if (listed) play.say(listed.command);
  else player.tell("That cannot be done again now.");
}

function toggleSending(comforts: Comforts): void {
  comforts.sending = !comforts.sending;
  sendNext(comforts);
}

/** The next card goes home, as soon as the one before it has; the last one ends it. */
function sendNext(comforts: Comforts): void {
  const { player, play, sending } = comforts, choice = play.choice();
  clearTimeout(comforts.timer);
  if (!choice) return;
  const runs = sending ? runOf(choice) : null, all = player.speed === AT_ONCE;
  const command = sending ? nextHome(choice) ?? runs?.[all ? 1 : 0] ?? null : safeNow(comforts, choice), { version } = player.frame ?? {};
  if (!command) {
    comforts.sending = false;
    return;
  }
  const send = () => {
    const open = play.choice();
    if (comforts.sending !== sending || player.frame?.version !== version || !open || open.touched.length > 0) return;
    if (player.svg.querySelector(".dragged")) return wait(); // a hand holds a card, maybe this one
    comforts.alone = sending ? null : command;
    play.say(command);
  };
  const wait = () => { comforts.timer = setTimeout(send, runs && !all ? STEP_TIME / (player.speed || 1) : sending ? HOME_PACE : SAFE_PACE); };
  wait();
}

/** What goes home by itself, where somebody likes it so: not after a move was taken back, and not while one is begun. */
function safeNow({ player: { frame }, settings, terms: { autoplay } }: Comforts, choice: Choice): Command | null {
  if (settings["safe"] !== "home" || !autoplay || !frame?.view) return null;
  if (frame.live_step !== frame.step || choice.touched.length) return null;
  return nextSafe(choice, frame.view, autoplay);
}

/** Whatever else is touched or typed stops what goes home by itself; not its own button, its speed and their keys. */
function listenToStops(comforts: Comforts, { home, run, pace }: Buttons, update: () => void): void {
  const stop = (event: Event) => {
    const pressed = !("key" in event) || event.key === "Enter" || event.key === " ";
    const own = pressed && [home, run].some((button) => button.contains(event.target as Node)), { key = "" } = event as KeyboardEvent;
    if (!comforts.sending || own || pace.contains(event.target as Node) || (comforts.player.runs && " +-pP".includes(key) && key)) return;
    comforts.sending = false;
    update();
  };
  for (const button of [home, run]) button.addEventListener("click", update);
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, stop, { capture: true });
}

/** One sensible move lights up alone and is said in words, until anything is touched. */
function showHint(comforts: Comforts, comment: string): void {
  const { player, play } = comforts, choice = play.choice(), view = player.frame?.view;
  const option = choice && view && bestOption(choice, view, player.frame?.command ?? null);
  if (option) showOption(comforts, option, view, comment);
}

function showOption({ player, source }: Comforts, option: Option, view: View, comment: string): void {
  const places = [...option.tap, ...option.slots.flatMap((slot) => slot.places)];
  player.table.light(new Set(places), []);
  player.tell(`Hint: ${wordsOf(option, view, source)}. ${comment}`.trimEnd());
}

/** The hint of the solver, where the game was opened with hints; one that comes too late is not shown. */
async function askForHint(comforts: Comforts): Promise<void> {
  const { player, play, source, terms } = comforts, version = player.frame?.version, seat = play.seat();
  if (seat === null) return;
  player.tell("The solver looks at what you can know.");
  try {
    const { data: hint } = await ask<Hint>("GET", gamePath(source.game.id, "/hint", { seat: String(seat) }));
    const choice = play.choice(), view = player.frame?.view;
    if (player.frame?.version !== version || hint.version !== version || !choice || !view) return;
    const { command } = hint, option = command && choice.options.find((one) => isSame(one.command, command));
    if (option) showOption(comforts, option, view, hint.sentence);
    else if (command) player.tell(`Hint: ${commandName(command, labelsOf(view), source.faces)}. ${hint.sentence}`);
    else if (hint.outlook === "open") player.tell(hint.sentence);
    else player.tell(`${hint.sentence} ${wayOut(hint, terms)}`);
  } catch (failure) {
    player.tell((failure as Error).message);
  }
}

/** What is left to do where nothing can be won any more. */
function wayOut({ undos }: Hint, { undoes }: Terms): string {
  if (undoes && undos !== null) return undos === 1 ? "Undo it, or begin again." : `Undo ${undos} moves, or begin again.`;
  return undoes ? "Undo as far as you like, or begin again." : "The same deal can be begun again.";
}

/** Which card goes where; of a command without a card what it is called. */
function wordsOf({ command, slots }: Option, view: View, { faces }: ApiSource): string {
  const labels = labelsOf(view), { zones } = view;
  const [id, index] = (slots.find(({ target }) => !target)?.places[0] ?? "").split("/"), target = labels[String(command["target"])];
  const zone = zones.find((one) => one.id === id), card = zone && cardsOf(zone)[Number(index)];
  return card && target ? `${cardName(card, faces)} to ${target}` : commandName(command, labels, faces);
}

function labelsOf({ zones }: View): Record<string, string> {
  return Object.fromEntries(zones.map(({ id, label }) => [id, label]));
}

async function startAgain({ player, source, play, plate, terms }: Comforts): Promise<void> {
  const way = wayToRestart(player, source, play, plate.begun(), terms);
  const go = () => void restart(way ?? "deal", player, source, terms).catch((failure: Error) => player.tell(failure.message));
  if (way === "resign" && source.game.rated) {
    askFirst("Give this game up?", "It counts as lost. The same cards are then dealt again in a game that does not count.", "Give up", go);
  } else if (way) go();
}

/** Another deal; who leaves a begun game that counts for it is told what that costs. */
function dealAnew({ player, source, plate, terms }: Comforts): void {
  const go = () => openDeal(source, terms, false), { rated, your_seats: own } = source.game;
  const leaves = rated && own.length > 0 && player.frame?.status === "playing" && plate.begun();
  if (leaves) askFirst("Leave this game?", costOf(source), "New deal", go);
  else go();
}

function isMac(): boolean {
  return /Mac|iP(?:hone|ad)/.test(navigator.userAgent);
}

/** Keys press the tools, while nobody types and no dialog is open. */
function listenToKeys(buttons: Buttons): void {
  const tools = new Map(KEYS.flatMap(([keys, , tool]) => (tool ? keys.split(" ").map((key): [string, HTMLButtonElement] => [key, buttons[tool]]) : [])));
  document.addEventListener("keydown", (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, repeat, target } = event, control = ctrlKey || metaKey;
    const name = `${control ? "Ctrl+" : ""}${control && shiftKey ? "Shift+" : ""}${event.key.toUpperCase()}`, button = tools.get(name);
    const elsewhere = target instanceof Element && target.closest("input, textarea, select");
    if (!button || button.hidden || altKey || elsewhere || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    if (!button.disabled && !(repeat && !control)) button.click();
  });
}

/** A card is heard where a step is new; of one that went by itself it is said. */
function hearMoves(comforts: Comforts): void {
  const { player, settings } = comforts;
  let newest = player.frame?.step ?? 0;
  player.listeners.push(() => {
    const step = player.frame?.step ?? 0, { command, sentences = [] } = player.frame ?? {};
    if (step > newest && comforts.alone && command && isSame(command, comforts.alone)) {
      player.tell(...sentences, "It went by itself.");
      comforts.alone = null;
    }
    if (step > newest && settings["sounds"] === "on" && !player.frame?.result) playSound("card");
    newest = step;
  });
}
