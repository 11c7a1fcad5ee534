/** Playing on the page: what lights up is touched, buttons say the rest; made from zones and legal commands alone. */

import { Refusal, ask, gamePath } from "./api.js";
import { choiceOf, decided, lit, meant, obvious, optionsOf, sayValues, touch } from "./choosing.js";
import { listenToTable } from "./gestures.js";
import { panelFor, setApart } from "./panel.js";
import { goOn, goTo, lookAs, seatOf } from "./player.js";
import { stripFor } from "./strip.js";

const PAGE_COMMANDS = 10000, TRIES = 6;

/** Lets who holds seats of a running game play it in this player; returns a function that looks again what may be done. */
export function startPlaying(player, source) {
  const game = { player, source, listed: null, choice: choiceOf([]), busy: false, told: null };
  listenToTable(player.svg, player.table, {
    tap: (place) => tap(game, place), twice: (place) => tapTwice(game, place), escape: () => takeBack(game),
    dragged: (from, to) => drag(game, from, to), canDrag: ({ zone, index }) => lit(game.choice).has(`${zone}/${index}`),
  });
  player.listeners.push(() => lookAgain(game));
  lookAgain(game);
  return () => lookAgain(game);
}

/** The seat that plays: the one looked from, if it is one's own and nothing later is known. */
function seatOfPlay({ player, source }) {
  const seat = seatOf(player.viewer), own = source.game.your_seats.includes(seat);
  return own && player.following && player.frame?.status === "playing" ? seat : null;
}

/** A new frame is shown: what was lit is out of date. */
async function lookAgain(game) {
  const { player } = game, seat = seatOfPlay(game), version = player.frame?.version;
  if (game.listed?.version === version && game.listed?.seat === seat) return;
  listed(game, null);
  if (seat === null || !player.frame.view || turnTo(game)) return;
  const found = await legalCommands(game, seat).catch((failure) => player.tell(failure.message));
  if (found && found.version === player.frame.version && seat === seatOfPlay(game)) listed(game, found);
}

/** Who plays several seats is shown the one that is to act, once for each new frame. */
function turnTo(game) {
  const { player, source } = game, next = player.frame.view.to_act;
  const own = next.filter((seat) => source.game.your_seats.includes(seat));
  const stays = own.length === 0 || own.includes(seatOf(player.viewer)) || game.told === player.frame.version;
  game.told = player.frame.version;
  if (!stays) lookAs(player, `seat-${own[0]}`);
  return !stays;
}

/** Every legal command of the seat, page by page, at one version. */
async function legalCommands({ source }, seat) {
  const found = { seat, version: null, commands: [] };
  for (let first = 0; first !== null;) {
    const query = { seat, first, limit: PAGE_COMMANDS };
    const { data } = await ask("GET", gamePath(source.game.id, "/legal-commands", query));
    if (found.version !== null && found.version !== data.version) return null;
    Object.assign(found, { version: data.version, commands: [...found.commands, ...data.commands] });
    first = data.next;
  }
  return found;
}

/** What may be said is known, or (null) not any more. */
function listed(game, found) {
  const [commands, apart] = setApart(found?.commands ?? []);
  const zones = game.player.frame?.view?.zones ?? [];
  Object.assign(game, { listed: found, apart });
  setBusy(game, false);
  choose(game, choiceOf(optionsOf(commands, zones, found?.seat, game.source.taps)));
}

function choose(game, choice) {
  game.choice = choice;
  const { player } = game, said = decided(choice);
  player.table.light(lit(choice), choice.touched);
  const strip = game.listed ? stripFor(player.svg, (place) => tap(game, place)) : [];
  player.panel.replaceChildren(...(game.listed ? [...strip, panelOf(game)] : []));
  player.svg.dataset.listed = game.listed?.version ?? "";
  if (said) say(game, said);
}

function panelOf(game) {
  const { player, choice } = game, { zones, facts } = player.frame.view;
  const labels = Object.fromEntries(zones.map((zone) => [zone.id, zone.label]));
  const heard = {
    say: (command) => say(game, command), back: () => takeBack(game),
    narrow: (name) => choose(game, sayValues(game.choice, name)),
  };
  return panelFor(choice, game.apart, heard, { labels, faces: player.source.faces }, factsOf(facts, game.listed.seat));
}

/** The facts of one's own seat, where facts are told by seats. */
function factsOf(facts, seat) {
  return facts?.seats?.[seat] ?? facts;
}

function tap(game, { zone, index }) {
  if (game.busy || !game.listed) return;
  const further = touch(game.choice, meant(game.choice, zone, index));
  if (further) choose(game, further);
  else game.player.tell("Nothing can be done with that now.");
}

/** A double tap says the command that is meant beyond doubt. */
function tapTwice(game, place) {
  if (game.busy || !game.listed) return;
  const key = meant(game.choice, place.zone, place.index);
  const choice = game.choice.touched.includes(key) ? game.choice : touch(game.choice, key);
  const command = choice && choice.touched.length ? obvious(choice) : null;
  if (command) say(game, command);
  else tap(game, place);
}

function drag(game, from, to) {
  if (game.busy || !game.listed) return;
  const start = touch({ ...game.choice, touched: [] }, `${from.zone}/${from.index}`);
  const end = start && touch(start, meant(start, to.zone, to.index));
  if (end && end.touched.length === 2) choose(game, end);
  else game.player.tell("It cannot go there.");
}

function takeBack(game) {
  if (!game.busy && game.listed) choose(game, choiceOf(game.choice.options));
}

/** While a command is under way nothing else is said. */
function setBusy(game, busy) {
  game.busy = busy;
  game.player.svg.toggleAttribute("data-busy", busy);
}

/** Says a command against the version it was listed for. */
async function say(game, command) {
  if (game.busy) return;
  const { seat, version } = game.listed, { player, source } = game;
  setBusy(game, true);
  const headers = { "If-Match": `"${version}"`, "Idempotency-Key": newKey() };
  try {
    const { data } = await askAgain(game, gamePath(source.game.id, "/commands", { seat }), command, headers);
    for (const frame of data.frames) await goOn(player, `seat-${seat}`, frame);
    if (game.listed?.version === version) await goTo(player, player.steps - 1);
  } catch (failure) {
    refused(game, failure);
  }
}

/** The same request with the same key until somebody answers. */
async function askAgain(game, path, command, headers) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask("POST", path, command, headers);
    } catch (failure) {
      if (failure instanceof Refusal || tries === TRIES) throw failure;
      game.player.tell("The server cannot be reached; trying again.");
      await new Promise((done) => setTimeout(done, 250 * 2 ** tries));
    }
  }
}

function newKey() {
  const parts = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16));
  return crypto.randomUUID?.() ?? parts().join("-");
}

/** A rule's sentence is told; whoever was too late sees the game as it stands. */
async function refused(game, failure) {
  const late = failure.status === 412, { player } = game;
  setBusy(game, false);
  choose(game, choiceOf(game.choice.options));
  if (late) {
    await player.frames.count(player.viewer);
    await goTo(player, player.steps - 1);
  }
  player.tell(late ? "Somebody was faster: the game has moved on." : failure.message);
}
