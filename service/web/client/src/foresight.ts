/** What a table will probably look like after a move, before the server has said so: cards change their places. Pure. */

import type { View, Zone } from "./api_types.ts";
import { cardsOf } from "./placing.ts";

/** The view with this card, in a column with all that lies on it, moved onto another zone; null where there is none. */
export function foresee(view: View, from: { zone: string; index: number }, target: string): View | null {
  const source = view.zones.find(({ id }) => id === from.zone), goal = view.zones.find(({ id }) => id === target);
  if (!source || !goal || source === goal) return null;
  const cards = cardsOf(source), count = source.layout === "column" ? cards.length - from.index : 1;
  const moved = cards.slice(from.index, from.index + count);
  if (!moved.length) return null;
  const zones = view.zones.map((zone) => {
    if (zone === source) return holding(zone, [...cards.slice(0, from.index), ...cards.slice(from.index + count)]);
    return zone === goal ? holding(zone, [...cardsOf(zone), ...moved]) : zone;
  });
  return { ...view, zones };
}

function holding(zone: Zone, cards: string[]): Zone {
  return { ...zone, face_down: 0, cards };
}
