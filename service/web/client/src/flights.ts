/** Which cards have travelled between two drawings of a table, and where from: pure. */

import type { Card } from "./api_types.ts";
import type { Drawing, PlacedCard } from "./placing.ts";

const FLIGHTS_MOST = 60;

/** A card that has travelled, from where and to where. */
export interface Flight {
  card: Card;
  from: PlacedCard;
  to: PlacedCard;
}

/** The flights between two drawings; none where too much has changed. */
export function flightsBetween(before: Drawing, after: Drawing): Flight[] {
  const stayed = new Set(after.cards.map(cardKey));
  const left = before.cards.filter((card) => !stayed.has(cardKey(card)));
  const places = new Set(before.cards.map(cardKey));
  const come = after.cards.filter((card) => !places.has(cardKey(card)));
  if (come.length > FLIGHTS_MOST) return [];
  return come.map((card) => flightOf(card, left)).filter((flight) => flight !== null).filter(travelled);
}

function cardKey({ zone, index, card }: PlacedCard): string {
  return `${zone}/${index}/${card}`;
}

/** From where the same card has gone; else from where a card face down has: it was turned over, or went out of sight. */
function flightOf(card: PlacedCard, left: PlacedCard[]): Flight | null {
  const origin = taken(left, (other) => other.card === card.card)
    ?? taken(left, (other) => (other.card === "#") !== (card.card === "#") && other.zone !== card.zone);
  return origin && { card: card.card, from: origin, to: card };
}

/** The last that fits, which lies on top; it is taken out. */
function taken(cards: PlacedCard[], fits: (card: PlacedCard) => boolean): PlacedCard | null {
  const place = cards.findLastIndex(fits);
  return place < 0 ? null : cards.splice(place, 1)[0] ?? null;
}

function travelled({ from, to }: Flight): boolean {
  return Math.abs(from.x - to.x) + Math.abs(from.y - to.y) > 1;
}
