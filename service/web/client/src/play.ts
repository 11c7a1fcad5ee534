/** Playing on the page: what lights up is touched, buttons say the rest; made from zones and legal commands alone. */

import { type ApiSource, Refusal, ask, gamePath } from "./api.ts";
import type { Command, CommandAnswer, Facts, LegalCommands, View } from "./api_types.ts";
import { valueAt } from "./chips.ts";
import { type Choice, choiceOf, decided, homeward, lit, meant, obvious, optionsOf, sayValues, touch } from "./choosing.ts";
import { foresee } from "./foresight.ts";
import { type CardPlace, type Place, listenToTable } from "./gestures.ts";
import { type Offers, offersFor } from "./offers.ts";
import { type PanelHeard, fillPanel, noteFocus, panelFor } from "./panel.ts";
import { untilAnswered } from "./patience.ts";
import { cardsOf } from "./placing.ts";
import { type Player, goOn, goTo, lookAs, seatOf } from "./player.ts";
import { sayOver } from "./socket.ts";
import { stripFor } from "./strip.ts";

const UNDO = "game/undo", PAGE_COMMANDS = 10000, GLIDE = 220;

/** What a seat may say at a version. */
interface Listed {
  seat: number;
  version: number;
  commands: Command[];
  apart: Command[];
}

/** What a person has done, kept in order until the game can hear it: no tap and no drag is lost while one waits. */
type Intent =
  | { kind: "tap"; place: Place; again: boolean }
  | { kind: "drag"; from: CardPlace; to: Place }
  | { kind: "say"; command: Command };

/** A game that is played here; `told`: the version at which whose turn it is was looked at last. `intents` wait while a
 * command is under way, `foreseen` is the table after that command, as far as it can be told; `asking` names
 * the version and seat that are asked about; `repeated` is the zone where a tap has just said a command.
 * `guided`: who plays every seat stays at one; `refuse` says why a legal command is not to be said, null where it is. */
interface Playing {
  player: Player;
  source: ApiSource;
  listed: Listed | null;
  apart: Command[];
  choice: Choice;
  busy: boolean;
  told: number | null;
  intents: Intent[];
  foreseen: View | null;
  asking: string | null;
  repeated: string | null;
  undoes: boolean;
  offers: Offers;
  guided: boolean;
  refuse: (command: Command) => string | null;
  listeners: (() => void)[];
}

/** A game that is played here, for what stands beside the table. `choice` and `own` are null while nothing may be said;
 * `undoes`: whether moves can be taken back; `listeners` hear that what may be said is another matter now. `sayAs` speaks for another
 * seat of one's own; `guide` begins or ends that a lesson leads. */
export interface Play {
  look: () => void;
  choice: () => Choice | null;
  say: (command: Command) => void;
  undo: () => void;
  undoes: () => boolean;
  seat: () => number | null;
  sayAs: (seat: number, command: Command) => void;
  guide: (guided: boolean, refuse: (command: Command) => string | null) => void;
  listeners: (() => void)[];
}

const INTENTS_MOST = 50;

/** Lets who holds seats of a running game play it in this player. */
export function startPlaying(player: Player, source: ApiSource, offers: Offers, guided = false): Play {
  const game: Playing = {
    player, source, listed: null, apart: [], choice: choiceOf([]), busy: false, told: null, intents: [],
    foreseen: null, asking: null, repeated: null, undoes: false, offers, guided, refuse: () => null, listeners: [],
  };
  const showOffers = offersFor(player, offers, (choice) => choose(game, choice));
  game.listeners.push(() => showOffers(game.listed && !game.busy ? game.choice : null));
  listenToTable(player.svg, player.table, {
    tap: (place, again) => intend(game, { kind: "tap", place, again }), escape: () => takeBack(game),
    dragged: (from, to) => intend(game, { kind: "drag", from, to }),
    undo: () => undo(game), canLift: (place) => canLift(game, place), lifted: (place) => lightTargets(game, place),
  });
  player.listeners.push(() => void lookAgain(game));
  void lookAgain(game);
  player.panel.closest(".kibitz")?.classList.toggle("asking", game.asking !== null);
  return {
    look: () => void lookAgain(game), choice: () => (game.listed && !game.busy ? game.choice : null),
    say: (command) => intend(game, { kind: "say", command }), undo: () => undo(game), undoes: () => game.undoes,
    sayAs: (seat, command) => void sayAs(game, seat, command),
    guide: (leads, refuse) => {
      Object.assign(game, { guided: leads, refuse, told: null });
      void lookAgain(game);
    },
    seat: () => seatOfPlay(game), listeners: game.listeners,
  };
}

/** What lies below the panel shows once it is known how much that has to say: nothing that is read is pushed away. */
function showBelow({ player: { panel } }: Playing): void {
  panel.closest(".kibitz")?.classList.remove("asking");
}

/** Whether a card may be taken up: it can move, or what can move is being asked. */
function canLift(game: Playing, { zone, index }: CardPlace): boolean {
  if (!game.listed || game.busy) return seatOfPlay(game) !== null;
  return lit(choiceOf(game.choice.options)).has(`${zone}/${index}`);
}

/** Where the card that is lifted can go; with none lifted, what was lit before. */
function lightTargets({ player, choice, listed }: Playing, place: CardPlace | null): void {
  if (!listed) return;
  const key = place && `${place.zone}/${place.index}`, lifted = key && touch(choiceOf(choice.options), key);
  if (lifted) player.table.light(lit(lifted), [key]);
  else player.table.light(lit(choice), choice.touched);
}

/** Something was done: it is heard at once, or when everything before it has been. */
function intend(game: Playing, intent: Intent): void {
  if (seatOfPlay(game) === null || game.intents.length >= INTENTS_MOST) return;
  game.intents.push(intent);
  if (!game.listed || game.busy) drawIntents(game);
  hearIntents(game);
}

/** The table as it will be when all that waits has been heard. */
function drawIntents({ player, intents, foreseen: begun }: Playing): void {
  const now = begun ?? player.frame?.view;
  if (!now || !intents.some(({ kind }) => kind === "drag")) return;
  const view = intents.reduce((before, intent) => (
    intent.kind === "drag" ? foresee(before, whereIn(before, intent.from), intent.to.zone) ?? before : before), now);
  player.table.draw(view, { seat: seatOf(player.viewer) });
}

/** What waits is heard, one after the other, until one of them says a command. */
function hearIntents(game: Playing): void {
  while (game.listed && !game.busy) {
    const intent = game.intents.shift();
    if (!intent) return;
    if (intent.kind === "tap") tap(game, intent.place, intent.again);
    else if (intent.kind === "drag") drag(game, intent.from, intent.to);
    else if (intent.command.type !== UNDO || game.undoes) void say(game, intent.command);
  }
}

/** Takes a move back, where the game has it, after all that was done before. */
function undo(game: Playing): void {
  if (game.undoes || !game.listed) intend(game, { kind: "say", command: { type: UNDO } });
}

/** The seat that plays: the one looked from, if it is one's own and nothing later is known. */
function seatOfPlay({ player, source }: Playing): number | null {
  const seat = seatOf(player.viewer), own = seat !== null && source.game.your_seats.includes(seat);
  return own && player.following && player.frame?.status === "playing" ? seat : null;
}

/** A new frame is shown: what was lit is out of date. What may be done is asked once for each version. */
async function lookAgain(game: Playing): Promise<void> {
  const { player } = game, seat = seatOfPlay(game), version = player.frame?.version, asked = `${version} ${seat}`;
  if (game.asking === asked || (game.listed && game.listed.version === version && game.listed.seat === seat)) return;
  setListed(game, null);
  game.foreseen = null;
  if (seat === null) game.intents = [];
  drawIntents(game);
  if (seat === null || !player.frame?.view || turnTo(game, player.frame.version, player.frame.view.to_act)) return;
  game.asking = asked;
  const found = await untilAnswered(() => legalCommands(game, seat), () => tellMissed(game), () => game.asking === asked)
    .catch((failure: Error) => player.tell(failure.message));
  if (game.asking === asked) game.asking = null;
  showBelow(game);
  if (found && found.version === player.frame.version && seat === seatOfPlay(game)) setListed(game, found);
}

/** Who plays several seats is shown the one that is to act, once for each new frame. */
function turnTo(game: Playing, version: number, next: number[]): boolean {
  if (game.guided) return false;
  const { player, source } = game, own = next.filter((seat) => source.game.your_seats.includes(seat));
  const stays = own.length === 0 || own.some((seat) => seat === seatOf(player.viewer)) || game.told === version;
  game.told = version;
  if (!stays) void lookAs(player, `seat-${own[0]}`);
  return !stays;
}

/** Every legal command of the seat, page by page, at one version. */
async function legalCommands({ source }: Playing, seat: number): Promise<Listed | null> {
  const commands: Command[] = [];
  let known: number | null = null, apart: Command[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const path = gamePath(source.game.id, "/legal-commands", { seat, cursor, limit: PAGE_COMMANDS });
    const { data: page } = await ask<LegalCommands>("GET", path);
    if (known !== null && known !== page.version) return null;
    commands.push(...page.commands);
    [known, apart, cursor] = [page.version, page.other_commands, page.next];
  }
  return known === null ? null : { seat, version: known, commands, apart };
}

/** What may be said is known, or (null) not any more. */
function setListed(game: Playing, found: Listed | null): void {
  const { commands = [], apart = [] } = found ?? {};
  const zones = game.player.frame?.view?.zones ?? [];
  Object.assign(game, { listed: found, apart });
  if (found) game.undoes = apart.some(({ type }) => type === UNDO);
  setBusy(game, false);
  choose(game, choiceOf(optionsOf(commands, zones, found?.seat ?? null, tapsOf(game))));
  if (found) hearIntents(game);
}

function choose(game: Playing, choice: Choice): void {
  game.choice = choice;
  const { player } = game, said = decided(choice);
  player.table.light(lit(choice), choice.touched);
  const strip = game.listed ? stripFor(player.svg, (place) => intend(game, { kind: "tap", place, again: false })) : [];
  if (strip.length) player.panel.classList.add("with-strip"); // it keeps its room from now on
  fillPanel(player, [...strip, ...panelOf(game)], game.listed !== null);
  player.panel.querySelector(".cells")?.scrollIntoView({ block: "nearest" });
  player.svg.dataset["listed"] = String(game.listed?.version ?? "");
  for (const heard of game.listeners) heard();
  if (said) void say(game, said);
}

function panelOf(game: Playing): HTMLElement[] {
  const { player, choice } = game, view = player.frame?.view;
  if (!game.listed || !view) return [];
  const { zones, facts } = view, words = factsOf(facts, game.listed.seat);
  const labels = Object.fromEntries(zones.map((zone) => [zone.id, zone.label]));
  const heard: PanelHeard = {
    say: (command) => intend(game, { kind: "say", command }), back: () => takeBack(game),
    narrow: (name) => choose(game, sayValues(game.choice, name)),
  };
  const counts = game.source.game.rated && (player.frame?.live_step ?? 0) > player.source.clock.dealt;
  return [panelFor(choice, game.apart, heard, { labels, faces: player.source.faces, offers: game.offers, counts }, words)];
}

/** The facts of one's own seat, where facts are told by seats. */
function factsOf(facts: Facts, seat: number): unknown {
  const { seats } = facts;
  return Array.isArray(seats) ? seats[seat] ?? facts : facts;
}

/** A tap; the second one of a double tap says what is meant beyond doubt, and never does anything else to a card. */
function tap(game: Playing, place: Place, again: boolean): void {
  const key = meant(game.choice, place.zone, place.index), begun = game.choice.touched.includes(key);
  if (again && game.repeated === place.zone && !isSaidByTap(game, place.zone)) return;
  const command = again ? meantTwice(game, key, begun) : null;
  const further = command ? null : touch(game.choice, key), { listed } = game;
  if (command) void say(game, command);
  else if (further) choose(game, further);
  else game.player.tell("Nothing can be done with that now.");
  game.repeated = listed && game.busy ? place.zone : null;
}

/** Whether a tap on this zone says a command that names no place, as often as it is tapped. */
function isSaidByTap(game: Playing, zone: string): boolean {
  return Object.values(tapsOf(game)).includes(zone);
}

/** Where a tap says a command: a zone, or the one that a fact names. */
function tapsOf({ source: { taps }, player: { frame } }: Playing): Record<string, string> {
  return Object.fromEntries(Object.entries(taps).map(([type, zone]) => [type, String(valueAt(frame?.view?.facts, zone) ?? zone)]));
}

/** What a double tap says: the card goes home where it can, else the only way that it can go. */
function meantTwice(game: Playing, key: string, begun: boolean): Command | null {
  const choice = begun ? game.choice : touch(game.choice, key);
  return choice?.touched.length ? homeward(choice) ?? obvious(choice) : null;
}

function drag(game: Playing, from: CardPlace, to: Place): void {
  const view = game.player.frame?.view, index = view ? whereIn(view, from).index : from.index;
  const start = touch({ ...game.choice, touched: [] }, `${from.zone}/${index}`);
  const end = start && touch(start, meant(start, to.zone, to.index));
  if (end?.touched.length === 2) choose(game, end);
  else giveUp(game, "It cannot go there.");
}

/** Where a card lies that was lifted before the table changed under it. */
function whereIn({ zones }: View, { zone, index, card }: CardPlace): CardPlace {
  const found = zones.find(({ id }) => id === zone), cards = found ? cardsOf(found) : [];
  return { zone, card, index: cards[index] === card ? index : cards.lastIndexOf(card) };
}

/** What was done cannot be: the table is as it was, and what was done after it is not heard. */
function giveUp(game: Playing, sentence: string): void {
  const { player } = game, view = player.frame?.view;
  Object.assign(game, { intents: [], foreseen: null });
  if (view) player.table.draw(view, { seat: seatOf(player.viewer), flight: GLIDE });
  choose(game, choiceOf(game.choice.options));
  player.tell(sentence);
}

function takeBack(game: Playing): void {
  game.intents = [];
  if (!game.busy && game.listed) choose(game, choiceOf(game.choice.options));
}

/** While a command is under way nothing else is said. */
function setBusy(game: Playing, busy: boolean): void {
  game.busy = busy;
  game.player.svg.toggleAttribute("data-busy", busy);
}

/** Says a command against the version it was listed for. */
async function say(game: Playing, command: Command): Promise<void> {
  if (game.busy || !game.listed) return;
  const refusal = game.refuse(command);
  if (refusal) return giveUp(game, refusal);
  const { seat, version } = game.listed, { player, source } = game;
  setBusy(game, true);
  drawForeseen(game, command);
  const key = newKey();
  try {
    const { frames } = await untilAnswered(() => send(source, seat, version, key, command), () => tellMissed(game));
    for (const frame of frames) await goOn(player, `seat-${seat}`, frame);
    if (isListed(game, version)) await goTo(player, player.steps - 1);
  } catch (failure) {
    await refused(game, failure as Error);
  }
}

/** Says a command for another seat of one's own; its frame comes live. */
async function sayAs({ player, source }: Playing, seat: number, command: Command): Promise<void> {
  const version = player.frame?.version ?? 0, key = newKey();
  await untilAnswered(() => send(source, seat, version, key, command), () => {})
    .catch((failure: Error) => player.tell(failure.message));
}

/** Sends a command, over the game's WebSocket where it is open. */
async function send(
  { game: { id }, socket }: ApiSource, seat: number, version: number, key: string, command: Command,
): Promise<CommandAnswer> {
  if (socket?.isOpen()) return sayOver(socket, id, seat, version, key, command);
  const headers = { "If-Match": `"${version}"`, "Idempotency-Key": key };
  return (await ask<CommandAnswer>("POST", gamePath(id, "/commands", { seat }), command, headers)).data;
}

/** The cards go where the command takes them, at once. */
function drawForeseen(game: Playing, command: Command): void {
  const { player, choice, listed } = game;
  const option = choice.options.find((one) => one.command === command), view = player.frame?.view;
  if (!option || !view || !listed) return;
  const { table } = player;
  const [card, goal] = [option.slots.find(({ target }) => !target), option.slots.find(({ target }) => target)];
  const [zone = "", index = ""] = (card?.places[0] ?? "").split("/"), target = (goal?.places[0] ?? "").split("/")[0] ?? "";
  noteFocus(player, target || zone || undefined);
  const several = option.slots.filter(({ target: goes }) => !goes).length !== 1 || card?.places.length !== 1;
  game.foreseen = several || index === "" ? null : foresee(view, { zone, index: Number(index) }, target);
  if (game.foreseen) table.draw(game.foreseen, { seat: listed.seat, flight: GLIDE });
  drawIntents(game);
}

/** Whether nothing newer is listed: what the stream has brought meanwhile may have listed it. */
function isListed({ listed }: Playing, version: number): boolean {
  return listed?.version === version;
}

function tellMissed(game: Playing): void {
  showBelow(game);
  game.player.tell("The server cannot be reached; trying again.");
}

function newKey(): string {
  const parts = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16));
  return isSecureContext ? crypto.randomUUID() : parts().join("-");
}

/** A rule's sentence is told; whoever was too late sees the game as it stands. */
async function refused(game: Playing, failure: Error): Promise<void> {
  const late = failure instanceof Refusal && failure.status === 412, { player } = game;
  if (late) {
    await player.frames.count(player.viewer);
    await goTo(player, player.steps - 1);
  }
  setBusy(game, false);
  giveUp(game, late ? "Somebody was faster: the game has moved on." : failure.message);
}
