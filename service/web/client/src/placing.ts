/** Where every card of a drawing lies: `service/pictures/placing.py` says the same, number for number. */

import type { Card, Zone } from "./api_types.ts";
import { type Board, CARD_HEIGHT, CARD_WIDTH, GAP, type Place } from "./board.ts";

const DOWN = 0.28, RIGHT = 1 + GAP, LEAST = 0.04, FACE_DOWN = "#";

/** One card, turned about its own middle; `shown` is not whoever lies hidden in a pile. */
export interface PlacedCard {
  zone: string;
  index: number;
  card: Card;
  x: number;
  y: number;
  turn: number;
  scale: number;
  shown: boolean;
}

/** A board with the cards that lie on it, in the order in which they are drawn. */
export interface Drawing {
  board: Board;
  cards: PlacedCard[];
}

/** The cards of these zones on a board that names every zone. */
export function placeCards(board: Board, zones: Zone[]): PlacedCard[] {
  const lying = new Map(zones.map((zone) => [zone.id, zone]));
  return board.places.flatMap((place) => placeZone(place, lying.get(place.zone)));
}

/** A zone's cards bottom to top, what lies face down as `#`. */
export function cardsOf(zone: Zone): Card[] {
  return [...Array<Card>(zone.face_down ?? 0).fill(FACE_DOWN), ...(zone.cards ?? [])];
}

function placeZone(place: Place, zone: Zone | undefined): PlacedCard[] {
  const cards = zone ? cardsOf(zone) : [], spread = spreadCards(place, cards), under = cards.length - spread.length;
  return cards.map((card, index) => {
    const far = spread[Math.max(index - under, 0)] ?? 0;
    const [across, down] = turnOffset(place.turn, place.spread === "down" ? 0 : far, place.spread === "down" ? far : 0);
    const x = rounded(place.x * CARD_WIDTH + across), y = rounded(place.y * CARD_HEIGHT + down);
    return { zone: place.zone, index, card, x, y, turn: place.turn, scale: place.scale, shown: index >= under - 1 };
  });
}

/** How far from the place's corner each card lies that is spread; the cards below these lie under the first.
 * All steps shrink by one factor where the room is too small for them, none below the least. */
export function spreadCards(place: Place, cards: Card[]): number[] {
  if (!cards.length) return [];
  const shown = place.spread === "pile" ? 1 : Math.min(place.shown ?? cards.length, cards.length);
  const down = place.spread === "down", unit = down ? CARD_HEIGHT : CARD_WIDTH;
  const usual = place.step || (down ? DOWN : RIGHT);
  const steps = cards.slice(cards.length - shown, -1).map((card) => (
    usual * place.scale * (down && card === FACE_DOWN ? 0.5 : 1)));
  const total = steps.reduce((sum, step) => sum + step, 0), room = place.room - place.scale;
  const factor = total > Math.max(room, 0) ? room / total : 1, offsets = [0];
  for (const step of steps) offsets.push((offsets.at(-1) ?? 0) + Math.max(step * factor, LEAST * place.scale) * unit);
  return offsets;
}

function turnOffset(degrees: number, x: number, y: number): [number, number] {
  const turn = degrees * (Math.PI / 180), along = Math.cos(turn), across = Math.sin(turn);
  return [x * along - y * across, x * across + y * along];
}

/** To 0.01, halves up: the same in every language that has doubles. */
function rounded(number: number): number {
  return Math.floor(number * 100 + 0.5) / 100;
}
