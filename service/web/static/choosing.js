/** From legal commands to what lights up, and from what is touched to a command: pure, and blind to any game's rules.
 *
 * A command names places on the table: cards it needs (from `source`, by `count`, by `card` or by a list of cards) and a
 * `target`. What else it says are plain values. A place is written `zone/index`, or `zone/` for the zone itself. */

import { isCard, isCardList } from "./naming.js";
import { cardsOf } from "./placing.js";

/** The options that these commands are: [{command, slots, values}] on this table, for the one who sits at `seat`.
 *
 * `taps` says of commands that name no place where a tap says them all the same. */
export function optionsOf(commands, zones, seat, taps = {}) {
  const table = { byId: new Map(zones.map((zone) => [zone.id, zone])), zones, seat, taps };
  return commands.map((command) => optionOf(command, table));
}

/** The state of a choice: nothing is touched and no values are said yet. */
export function choiceOf(options) {
  return narrowed({ options, touched: [], said: null });
}

/** The choice after one more place is touched: goes on, takes it back, or begins anew with it; null: it means nothing. */
export function touch(choice, key) {
  if (choice.touched.includes(key)) {
    return narrowed({ ...choice, touched: choice.touched.filter((other) => other !== key) });
  }
  const further = narrowed({ ...choice, touched: [...choice.touched, key] });
  if (further.candidates.length) return further;
  const anew = narrowed({ ...choice, touched: [key] });
  return anew.candidates.length ? anew : null;
}

/** The choice with these values of a command said (null: any). */
export function sayValues(choice, said) {
  const further = narrowed({ ...choice, said });
  return further.candidates.length ? further : narrowed({ ...choice, said, touched: [] });
}

/** The commands that need nothing more. */
export function complete(choice) {
  return choice.candidates.filter((candidate) => candidate.open.length === 0).map(({ option }) => option);
}

/** The one command that can be said at once, or null: all is chosen, nothing else fits, and no set may still grow. */
export function decided(choice) {
  const whole = complete(choice);
  if (!choice.touched.length || choice.candidates.length !== 1 || whole.length !== 1) return null;
  return isOpenSet(whole[0], choice) ? null : whole[0].command;
}

/** The one command that a double tap means: everything touched, and a single way on from here. */
export function obvious(choice) {
  const fewest = Math.min(...choice.candidates.map(({ open }) => open.length));
  const near = choice.candidates.filter(({ open }) => open.length === fewest);
  return near.length === 1 && near[0].open.every((slot) => slot.target) ? near[0].option.command : null;
}

/** What lights up: keys of the places that some command needs next. */
export function lit(choice) {
  const taps = choice.touched.length ? [] : choice.candidates.flatMap(({ option }) => option.tap);
  return new Set([...taps, ...choice.candidates.flatMap(({ open }) => nextSlots(open).flatMap((slot) => slot.places))]);
}

/** The place that touching a card means: the card itself, its zone, or the only card of the zone that lights up. */
export function meant(choice, zone, index) {
  const bright = lit(choice), own = `${zone}/${index ?? ""}`;
  if (choice.touched.includes(own) || bright.has(own)) return own;
  if (bright.has(`${zone}/`)) return `${zone}/`;
  const others = [...bright].filter((key) => key.startsWith(`${zone}/`));
  if (others.length === 1) return others[0];
  return touch(choice, own) ? own : `${zone}/`;
}

/** What may be said as values: the distinct ones among the candidates, [{type, values, options}] in their order. */
export function sayings(choice) {
  const kinds = new Map();
  for (const { option } of choice.candidates) {
    const name = JSON.stringify([option.command.type, option.values]);
    if (!kinds.has(name)) kinds.set(name, { name, type: option.command.type, values: option.values, options: [] });
    kinds.get(name).options.push(option);
  }
  return [...kinds.values()];
}

/** A list of cards is said by a button, since one more card may be meant; a target ends it as well. */
function isOpenSet(option, choice) {
  const targeted = option.slots.some((slot) => slot.target && choice.touched.some((key) => slot.places.includes(key)));
  return option.set && !targeted;
}

function narrowed(choice) {
  const fitting = choice.options.filter((option) => choice.said === null || choice.said === sayingOf(option));
  const found = fitting.map((option) => matched(option, choice.touched)).filter((candidate) => candidate !== null);
  const inOrder = found.filter((candidate) => !candidate.backwards);
  return { ...choice, candidates: inOrder.length ? inOrder : found };
}

/** The name of a command's values, as `sayings` has it. */
function sayingOf(option) {
  return JSON.stringify([option.command.type, option.values]);
}

/** A command with what is still open of it, or null where a touched place is none of its own. */
function matched(option, touched) {
  if (touched.length === 1 && option.tap.includes(touched[0])) return { option, open: [], backwards: false };
  const open = [...option.slots];
  let backwards = false;
  for (const key of touched) {
    const place = open.findIndex((slot) => slot.places.includes(key));
    if (place < 0) return null;
    backwards ||= open[place].target && open.some((slot) => !slot.target);
    open.splice(place, 1);
  }
  return { option, open, backwards };
}

/** Cards come before the target. */
function nextSlots(open) {
  const cards = open.filter((slot) => !slot.target);
  return cards.length ? cards : open;
}

function optionOf(command, table) {
  const { type, source, target, count, ...rest } = command;
  const cards = Object.entries(rest).filter(([, value]) => isCard(value) || isCardList(value));
  const from = table.byId.get(source), to = table.byId.get(target);
  const slots = cards.flatMap(([, value]) => cardSlots([value].flat(), from, table));
  if (from && !cards.length) slots.push({ target: false, places: [placeOfCount(from, count ?? 1)] });
  if (to) slots.push({ target: true, places: placesOf(to) });
  const values = Object.fromEntries(Object.entries(rest).filter(([name]) => !cards.some(([other]) => other === name)));
  if (source !== undefined && !from) values.source = source;
  if (target !== undefined && !to) values.target = target;
  if (from && isStackBeside(cards, from)) slots.push({ target: true, places: placesOf(from) });
  const tapped = slots.length ? null : table.byId.get(table.taps[type]);
  return { command, slots, values, tap: tapped ? placesOf(tapped) : [], set: cards.some(([, value]) => Array.isArray(value)) };
}

/** A source that holds none of the cards named is a further place to touch: what they are paid for. */
function isStackBeside(cards, from) {
  return cards.length > 0 && !cards.some(([, value]) => [value].flat().some((card) => cardsOf(from).includes(card)));
}

function cardSlots(cards, from, table) {
  const zones = zonesOfCards(cards, from, table);
  return cards.map((card) => ({ target: false, places: zones.flatMap((zone) => placesOfCard(zone, card)) }));
}

/** Where cards are taken from: the source if it has them all, else one's own zones, else any. */
function zonesOfCards(cards, from, { zones, seat }) {
  const holdsAll = (some) => cards.every((card) => some.some((zone) => cardsOf(zone).includes(card)));
  const own = zones.filter((zone) => zone.owner === seat);
  const hands = own.filter((zone) => zone.layout === "fan" || zone.layout === "row");
  return [from ? [from] : hands, hands, own].find((some) => some.length && holdsAll(some)) ?? zones;
}

function placesOfCard(zone, card) {
  return cardsOf(zone).flatMap((other, index) => (other === card ? [`${zone.id}/${index}`] : []));
}

/** The card that so many cards from the end of a zone begin with; the zone itself if it has none. */
function placeOfCount(zone, count) {
  const index = cardsOf(zone).length - count;
  return index < 0 ? `${zone.id}/` : `${zone.id}/${index}`;
}

/** A zone as a target: the zone itself or its last card. */
function placesOf(zone) {
  const size = cardsOf(zone).length;
  return size ? [`${zone.id}/`, `${zone.id}/${size - 1}`] : [`${zone.id}/`];
}
