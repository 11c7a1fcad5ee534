/** The labels above zones, all of a table in one size, or none; `service/pictures/svg/labels.py` says the same. */

import { LABEL_LEADING, LABEL_LETTER, cutLabel, evenedSizes, fittedLabel } from "./fitting.js";

export const LABEL_BAND = 35;
const LABEL_LARGEST = 18, LABEL_LEAST = 13, LABEL_APART = 14, LABEL_WIDE = 1000, LABEL_HIGH = 800;
const LABEL_BARE = ["grid", "ring", "pyramid"];

/** How much larger type is on this table than on one of ten cards by five: it is shown at the same breadth. */
export function scaleOf(spots, edge) {
  const tops = spots.map((spot) => spot.y), high = tops.length ? Math.max(...tops) + 140 - Math.min(...tops) : 0;
  return Math.max(1, edge / LABEL_WIDE, high / LABEL_HIGH);
}

/** By area, {x, y, size, lines, text, width, height} or null; the table ends at `edge`, `scale` makes type larger. */
export function labelsOf(spots, edge, scale) {
  const largest = LABEL_LARGEST * scale, end = edge + 20 + 0.15 * (edge - LABEL_WIDE);
  const band = Math.max(LABEL_BAND, 2 * LABEL_LEADING * largest + 6);
  const rooms = spots.map((spot) => (hasLabel(spot, spots) ? labelRoom(spot, spots, end, band) : null));
  const places = rooms.flatMap((room, place) => (room === null ? [] : [place]));
  const ways = places.map((place) => fittedLabel(spots[place].zone.label, rooms[place], largest));
  const sizes = evenedSizes(ways.map(({ size }) => size), largest).map((size) => Math.max(size, LABEL_LEAST));
  const said = spots.map(() => null);
  places.forEach((place, at) => { said[place] = labelAt(spots[place], ways[at].lines, sizes[at], rooms[place]); });
  return said;
}

function labelAt({ x, y, zone }, whole, size, room) {
  const lines = whole.map((line) => cutLabel(line, size, room));
  const width = Math.max(...lines.map((line) => [...line].length)) * size * LABEL_LETTER;
  return { x, y: y - 6, size, lines, text: zone.label, width, height: lines.length * size * LABEL_LEADING + 6 };
}

/** The label counted from this corner, rounded, as it is handed out. */
export function movedLabel({ x, y, size, lines, text }, left, top) {
  const [newX, newY, newSize] = [x - left, y - top, size].map((number) => Math.floor(number * 100 + 0.5) / 100);
  return { x: newX, y: newY, size: newSize, lines, text };
}

/** The top-to-bottom baselines of a label's lines. */
export function labelBaselines({ y, size, lines }) {
  return lines.map((line, number) => y - (lines.length - 1 - number) * size * LABEL_LEADING);
}

function hasLabel(spot, spots) {
  const bare = LABEL_BARE.includes(spot.zone.layout) || !spot.zone.label;
  return !bare && !spots.some((other) => coversLabel(spot, other));
}

/** The breadth up to whatever the label, or a label beside it, could run into. */
function labelRoom(spot, spots, end, band) {
  const beside = spots.filter((other) => other.x > spot.x && besideLabel(spot, other, band)).map((other) => other.x - LABEL_APART);
  return Math.min(end, ...beside) - spot.x;
}

/** Whether something is drawn where the label would begin. */
function coversLabel(spot, other) {
  const crosses = other.x < spot.x + 100 && spot.x < other.x + other.width;
  return crosses && other.y < spot.y && spot.y < other.y + other.height + LABEL_BAND - 6;
}

function besideLabel(spot, other, band) {
  return other.y - band < spot.y && spot.y - LABEL_BAND < other.y + other.reach;
}
