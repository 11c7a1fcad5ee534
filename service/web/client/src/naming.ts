/** Words for cards, zones, commands and facts: everything that is read aloud or written on a button. */

import type { Card, Command, Faces, Zone } from "./api_types.ts";
import { cardsOf } from "./placing.ts";

const RANK_WORDS: Record<string, string> = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten",
  J: "jack", Q: "queen", K: "king",
};
export const SIGNS: Record<string, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUIT_WORDS: Record<string, string> = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const CARD_CODE = /^(?:[A2-9TJQK][SHDC]|\*[1-4])$/;

/** A place on a board: row and column. */
export type Cell = [number, number];

/** Whether a value is a card's code, such as `QH` or `*1`. */
export function isCard(value: unknown): value is Card {
  return typeof value === "string" && CARD_CODE.test(value);
}

/** Whether a value is a list of cards. */
export function isCardList(value: unknown): value is Card[] {
  return Array.isArray(value) && value.length > 0 && value.every(isCard);
}

/** Whether a value is a list of places on a board, each a row and a column. */
export function isCellList(value: unknown): value is Cell[] {
  return Array.isArray(value) && value.length > 0 && value.every((cell) => Array.isArray(cell) && cell.length === 2);
}

/** A card as spoken; `faces` say what cards stand for in games without playing cards. */
export function cardName(card: Card, faces: Faces = {}): string {
  const face = faces[card], [rank = "", suit = ""] = card;
  if (face) return face.name;
  if (card === "#") return downName(1);
  return rank === "*" ? "a joker" : `${RANK_WORDS[rank]} of ${SUIT_WORDS[suit]}`;
}

/** The id of the symbol that draws a card. */
export function symbolOf(card: Card): string {
  return "card-" + (card === "#" ? "back" : card.replace("*", "joker-"));
}

/** A zone as spoken: its label and what can be seen of it. */
export function zoneName(zone: Zone, faces: Faces): string {
  const cards = cardsOf(zone), last = cards.at(-1);
  if (last === undefined) return `${zone.label}, empty`;
  if (!zone.cards?.length) return `${zone.label}, ${downName(cards.length)}`;
  const top = cardName(last, faces);
  return cards.length === 1 ? `${zone.label}, ${top}` : `${zone.label}, ${top} on top of ${cards.length - 1}`;
}

/** So many cards that lie face down, as spoken. */
export function downName(count: number): string {
  return count === 1 ? "a card face down" : `${count} cards face down`;
}

/** `next_hand` as `next hand`. */
export function plainWords(name: string): string {
  return name.replaceAll("_", " ");
}

/** The kind of a command without its game: `bid`. */
export function kindName({ type }: { type: string }): string {
  return plainWords(type.slice(type.lastIndexOf("/") + 1));
}

/** What sentences and labels say for who sits there: `Player 1` for seat 0, as the server says it. */
export function playerName(seat: number): string {
  return `Player ${seat + 1}`;
}

/** Words for ids. */
type Labels = Record<string, string>;

/** Fields of a command in words: `level 1, strain spades`; `labels` name zones by their ids. */
export function valuesName(values: object, labels: Labels = {}, faces: Faces = {}): string {
  return Object.entries(values).map(([name, value]) => fieldName(plainWords(name), value, labels, faces)).join(", ");
}

/** A whole command in words: `bid: level 1, strain spades`, `take action: gain card` where there is but one value. */
export function commandName(command: Command, labels: Labels = {}, faces: Faces = {}): string {
  const { type, ...values } = command, [only, ...further] = Object.values(values);
  const alone = typeof only === "string" && further.length === 0;
  const words = alone ? valueName(only, labels, faces) : valuesName(values, labels, faces);
  return words ? `${kindName(command)}: ${words}` : kindName(command);
}

function fieldName(name: string, value: unknown, labels: Labels, faces: Faces): string {
  if (value === true) return name;
  if (value === false) return `no ${name}`;
  if (name === "seat") return playerName(Number(value));
  return `${name} ${valueName(value, labels, faces)}`;
}

/** One value in words. */
export function valueName(value: unknown, labels: Labels = {}, faces: Faces = {}): string {
  if (isCellList(value)) return value.map((cell) => cell.join("-")).join(" ");
  if (Array.isArray(value)) return value.map((one) => valueName(one, labels, faces)).join(", ");
  if (isCard(value)) return cardName(value, faces);
  const id = String(value);
  return labels[id] ?? SUIT_WORDS[id] ?? plainWords(id);
}
