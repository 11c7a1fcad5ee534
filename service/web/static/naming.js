/** Words for cards, zones, commands and facts: everything that is read aloud or written on a button. */

import { cardsOf } from "./placing.js";

const RANK_WORDS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten",
  J: "jack", Q: "queen", K: "king",
};
const SUIT_WORDS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const CARD_CODE = /^(?:[A2-9TJQK][SHDC]|\*[1-4])$/;

/** Whether a value is a card's code, such as `QH` or `*1`. */
export function isCard(value) {
  return typeof value === "string" && CARD_CODE.test(value);
}

/** Whether a value is a list of cards. */
export function isCardList(value) {
  return Array.isArray(value) && value.length > 0 && value.every(isCard);
}

/** Whether a value is a list of places on a board, each a row and a column. */
export function isCellList(value) {
  return Array.isArray(value) && value.length > 0 && value.every((cell) => Array.isArray(cell) && cell.length === 2);
}

/** A card as spoken; `faces` say what cards stand for in games without playing cards. */
export function cardName(card, faces = {}) {
  if (faces[card]) return faces[card].name;
  if (card === "#") return "a card face down";
  return card[0] === "*" ? "a joker" : `${RANK_WORDS[card[0]]} of ${SUIT_WORDS[card[1]]}`;
}

/** The id of the symbol that draws a card. */
export function symbolOf(card) {
  return "card-" + (card === "#" ? "back" : card.replace("*", "joker-"));
}

/** A zone as spoken: its label and what can be seen of it. */
export function zoneName(zone, faces) {
  const cards = cardsOf(zone);
  if (!cards.length) return `${zone.label}, empty`;
  const top = cardName(cards.at(-1), faces);
  return cards.length === 1 ? `${zone.label}, ${top}` : `${zone.label}, ${top} on top of ${cards.length - 1}`;
}

/** `next_hand` as `next hand`. */
export function plainWords(name) {
  return name.replaceAll("_", " ");
}

/** The kind of a command without its game: `bid`. */
export function kindName(command) {
  return plainWords(command.type.split("/").at(-1));
}

/** Fields of a command in words: `level 1, strain spades`; `labels` name zones by their ids. */
export function valuesName(values, labels = {}, faces = {}) {
  return Object.entries(values).map(([name, value]) => fieldName(plainWords(name), value, labels, faces)).join(", ");
}

/** A whole command in words: `bid: level 1, strain spades`. */
export function commandName(command, labels = {}, faces = {}) {
  const { type, ...values } = command;
  const said = valuesName(values, labels, faces);
  return said ? `${kindName(command)}: ${said}` : kindName(command);
}

function fieldName(name, value, labels, faces) {
  if (value === true) return name;
  if (value === false) return `no ${name}`;
  return `${name} ${valueName(value, labels, faces)}`;
}

/** One value in words. */
export function valueName(value, labels = {}, faces = {}) {
  if (isCellList(value)) return value.map((cell) => cell.join("-")).join(" ");
  if (Array.isArray(value)) return value.map((one) => valueName(one, labels, faces)).join(", ");
  if (isCard(value)) return cardName(value, faces);
  if (labels[value]) return labels[value];
  return SUIT_WORDS[value] ?? plainWords(String(value));
}
