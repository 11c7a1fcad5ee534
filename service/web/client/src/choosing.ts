/** From legal commands to what lights up, and from what is touched to a command: pure, and blind to any game's rules.
 *
 * A command names places on the table: cards it needs (from `source`, by `count`, by `card` or by a list of cards) and a
 * `target`. What else it says are plain values. A place is written `zone/index`, or `zone/` for the zone itself. */

import type { Card, Command, Zone } from "./api_types.ts";
import { isCard, isCardList } from "./naming.ts";
import { cardsOf } from "./placing.ts";

/** One thing that a command needs: a card or a target, and the keys of the places that say it. */
export interface Slot {
  target: boolean;
  places: string[];
}

/** A command as what is touched for it and what is said: `tap`, where a tap says it whole; `set`, a list of cards. */
export interface Option {
  command: Command;
  slots: Slot[];
  values: Record<string, unknown>;
  tap: string[];
  set: boolean;
}

/** An option that fits what is touched, what is `open` of it, and whether its target was touched before its cards. */
export interface Candidate {
  option: Option;
  open: Slot[];
  backwards: boolean;
}

export interface Choice {
  options: Option[];
  touched: string[];
  saying: string | null;
  candidates: Candidate[];
}

/** Values that some commands of one type have in common. */
export interface Saying {
  name: string;
  type: string;
  values: Record<string, unknown>;
  options: Option[];
}

interface Table {
  byId: Map<unknown, Zone>;
  zones: Zone[];
  seat: number | null;
  taps: Record<string, string>;
}

/** The options that these commands are: [{command, slots, values}] on this table, for the one who sits at `seat`.
 *
 * `taps` says of commands that name no place where a tap says them all the same. */
export function optionsOf(
  commands: Command[], zones: Zone[], seat: number | null, taps: Record<string, string> = {},
): Option[] {
  const table: Table = { byId: new Map(zones.map((zone) => [zone.id, zone])), zones, seat, taps };
  return commands.map((command) => optionOf(command, table));
}

/** The state of a choice: nothing is touched and no values are said yet. */
export function choiceOf(options: Option[]): Choice {
  return narrowed({ options, touched: [], saying: null });
}

/** The choice after one more place is touched: goes on, takes it back, stands in for another of several, or begins anew;
 * null: it means nothing. */
export function touch(choice: Choice, key: string): Choice | null {
  if (choice.touched.includes(key)) {
    return narrowed({ ...choice, touched: choice.touched.filter((other) => other !== key) });
  }
  const further = narrowed({ ...choice, touched: [...choice.touched, key] });
  if (further.candidates.length) return further;
  for (const other of choice.touched.length > 1 ? choice.touched : []) {
    const instead = narrowed({ ...choice, touched: [...choice.touched.filter((place) => place !== other), key] });
    if (instead.candidates.length) return instead;
  }
  const anew = narrowed({ ...choice, touched: [key] });
  return anew.candidates.length ? anew : null;
}

/** The choice with these values of a command said (null: any). */
export function sayValues(choice: Choice, saying: string | null): Choice {
  const further = narrowed({ ...choice, saying });
  return further.candidates.length ? further : narrowed({ ...choice, saying, touched: [] });
}

/** The choice with all the cards touched that this option needs, whatever was touched before. */
export function payWith(choice: Choice, option?: Option): Choice {
  const touched: string[] = [];
  for (const { target, places } of option?.slots ?? []) {
    const place = target ? undefined : places.find((key) => !touched.includes(key));
    if (place !== undefined) touched.push(place);
  }
  return narrowed({ ...choice, touched });
}

/** The commands that need nothing more. */
export function complete(choice: Choice): Option[] {
  return choice.candidates.filter((candidate) => candidate.open.length === 0).map(({ option }) => option);
}

/** The one command that can be said at once, or null: all is chosen, nothing else fits, and no set may still grow. */
export function decided(choice: Choice): Command | null {
  const [only, ...more] = complete(choice);
  if (!choice.touched.length || choice.candidates.length !== 1 || !only || more.length) return null;
  return isOpenSet(only, choice) ? null : only.command;
}

/** The one command that a double tap means: everything touched, and a single way on from here. */
export function obvious(choice: Choice): Command | null {
  const fewest = Math.min(...choice.candidates.map(({ open }) => open.length));
  const [near, ...more] = choice.candidates.filter(({ open }) => open.length === fewest);
  return near && !more.length && near.open.every((slot) => slot.target) ? near.option.command : null;
}

/** The one command that brings what is touched home: to a foundation, whatever else it may do; null: there is none. */
export function homeward(choice: Choice): Command | null {
  const home = choice.candidates.filter(({ option, open }) => (
    String(option.command["target"] ?? "").startsWith("foundation") && open.every((slot) => slot.target)));
  return home.length === 1 ? home[0]?.option.command ?? null : null;
}

/** What lights up: keys of the places that some command needs next. */
export function lit(choice: Choice): Set<string> {
  const taps = choice.touched.length ? [] : choice.candidates.flatMap(({ option }) => option.tap);
  return new Set([...taps, ...choice.candidates.flatMap(({ open }) => nextSlots(open).flatMap((slot) => slot.places))]);
}

/** The place that touching a card means: the card itself, its zone, or the only card of the zone that lights up. */
export function meant(choice: Choice, zone: string, index: number | null): string {
  const bright = lit(choice), own = `${zone}/${index ?? ""}`;
  if (choice.touched.includes(own) || bright.has(own)) return own;
  if (bright.has(`${zone}/`)) return `${zone}/`;
  const [other, ...more] = [...bright].filter((key) => key.startsWith(`${zone}/`));
  if (other !== undefined && !more.length) return other;
  return touch(choice, own) ? own : `${zone}/`;
}

/** What may be said as values: the distinct ones among the candidates, in their order. */
export function sayings(choice: Choice): Saying[] {
  const kinds = new Map<string, Saying>();
  for (const { option } of choice.candidates) {
    const name = JSON.stringify([option.command.type, option.values]);
    const kind = kinds.get(name) ?? { name, type: option.command.type, values: option.values, options: [] };
    kind.options.push(option);
    kinds.set(name, kind);
  }
  return [...kinds.values()];
}

/** A list of cards is said by a button, since one more card may be meant; a target ends it as well. */
function isOpenSet(option: Option, choice: Choice): boolean {
  const targeted = option.slots.some((slot) => slot.target && choice.touched.some((key) => slot.places.includes(key)));
  return option.set && !targeted;
}

function narrowed(choice: Omit<Choice, "candidates">): Choice {
  const fitting = choice.options.filter((option) => choice.saying === null || choice.saying === sayingOf(option));
  const found = fitting.map((option) => matched(option, choice.touched)).filter((candidate) => candidate !== null);
  const inOrder = found.filter((candidate) => !candidate.backwards);
  return { ...choice, candidates: inOrder.length ? inOrder : found };
}

/** The name of a command's values, as `sayings` has it. */
function sayingOf(option: Option): string {
  return JSON.stringify([option.command.type, option.values]);
}

/** A command with what is still open of it, or null where a touched place is none of its own. */
function matched(option: Option, touched: string[]): Candidate | null {
  if (touched.length === 1 && option.tap.includes(touched[0] ?? "")) return { option, open: [], backwards: false };
  const open = [...option.slots];
  let backwards = false;
  for (const key of touched) {
    const found = open.find((slot) => slot.places.includes(key));
    if (!found) return null;
    backwards ||= found.target && open.some((slot) => !slot.target);
    open.splice(open.indexOf(found), 1);
  }
  return { option, open, backwards };
}

/** Cards come before the target. */
function nextSlots(open: Slot[]): Slot[] {
  const cards = open.filter((slot) => !slot.target);
  return cards.length ? cards : open;
}

function optionOf(command: Command, table: Table): Option {
  const { type, source, target, count, ...rest } = command;
  const cards = Object.entries(rest).filter((pair): pair is [string, Card | Card[]] => isCard(pair[1]) || isCardList(pair[1]));
  const from = table.byId.get(source), to = table.byId.get(target);
  const slots: Slot[] = cards.flatMap(([, value]) => cardSlots([value].flat(), from, table));
  if (from && !cards.length) slots.push({ target: false, places: [placeOfCount(from, typeof count === "number" ? count : 1)] });
  if (to) slots.push({ target: true, places: placesOf(to) });
  const values = Object.fromEntries(Object.entries(rest).filter(([name]) => !cards.some(([other]) => other === name)));
  if (source !== undefined && !from) values["source"] = source;
  if (target !== undefined && !to) values["target"] = target;
  if (from && isStackBeside(cards, from)) slots.push({ target: true, places: placesOf(from) });
  const tapped = slots.length ? undefined : table.byId.get(table.taps[type]);
  return { command, slots, values, tap: tapped ? placesOf(tapped) : [], set: cards.some(([, value]) => Array.isArray(value)) };
}

/** A source that holds none of the cards named is a further place to touch: what they are paid for. */
function isStackBeside(cards: [string, Card | Card[]][], from: Zone): boolean {
  return cards.length > 0 && !cards.some(([, value]) => [value].flat().some((card) => cardsOf(from).includes(card)));
}

function cardSlots(cards: Card[], from: Zone | undefined, table: Table): Slot[] {
  const zones = zonesOfCards(cards, from, table);
  return cards.map((card) => ({ target: false, places: zones.flatMap((zone) => placesOfCard(zone, card)) }));
}

/** Where cards are taken from: the source if it has them all, else one's own zones, else any. */
function zonesOfCards(cards: Card[], from: Zone | undefined, { zones, seat }: Table): Zone[] {
  const holdsAll = (some: Zone[]) => cards.every((card) => some.some((zone) => cardsOf(zone).includes(card)));
  const own = zones.filter((zone) => zone.owner === seat);
  const hands = own.filter((zone) => zone.layout === "fan" || zone.layout === "row");
  return [from ? [from] : hands, hands, own].find((some) => some.length && holdsAll(some)) ?? zones;
}

function placesOfCard(zone: Zone, card: Card): string[] {
  return cardsOf(zone).flatMap((other, index) => (other === card ? [`${zone.id}/${index}`] : []));
}

/** The card that so many cards from the end of a zone begin with; the zone itself if it has none. */
function placeOfCount(zone: Zone, count: number): string {
  const index = cardsOf(zone).length - count;
  return index < 0 ? `${zone.id}/` : `${zone.id}/${index}`;
}

/** A zone as a target: the zone itself or its last card. */
function placesOf(zone: Zone): string[] {
  const size = cardsOf(zone).length;
  return size ? [`${zone.id}/`, `${zone.id}/${size - 1}`] : [`${zone.id}/`];
}
