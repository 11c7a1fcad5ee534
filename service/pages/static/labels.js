/** The labels above zones: one line, or two smaller ones, or none; `service/pictures/svg/labels.py` says the same. */

export const LABEL_BAND = 35;
const LABEL_ONE = 18, LABEL_TWO = 13, LABEL_LEADING = 1.15, LABEL_LETTER = 0.56;
const LABEL_BARE = ["grid", "ring", "pyramid"];

/** The label of one area among all of them on a table that ends at `edge`: {x, y, size, lines, text}, or null. */
export function labelOf(spot, spots, edge) {
  const text = spot.zone.label;
  if (LABEL_BARE.includes(spot.zone.layout) || !text || spots.some((other) => coversLabel(spot, other))) return null;
  const ends = spots.filter((other) => other.x > spot.x && besideLabel(spot, other)).map((other) => other.x - 8);
  const { size, lines } = labelLines(text, Math.min(edge + 20, ...ends) - spot.x);
  const width = Math.max(...lines.map((line) => [...line].length)) * size * LABEL_LETTER;
  return { x: spot.x, y: spot.y - 6, size, lines, text, width, height: lines.length * size * LABEL_LEADING + 6 };
}

/** The label counted from this corner, rounded, as it is handed out. */
export function movedLabel({ x, y, size, lines, text }, left, top) {
  const [newX, newY] = [x - left, y - top].map((number) => Math.floor(number * 100 + 0.5) / 100);
  return { x: newX, y: newY, size, lines, text };
}

/** The top-to-bottom baselines of a label's lines. */
export function labelBaselines({ y, size, lines }) {
  return lines.map((line, number) => y - (lines.length - 1 - number) * size * LABEL_LEADING);
}

/** Whether something is drawn where the label would begin. */
function coversLabel(spot, other) {
  const crosses = other.x < spot.x + 100 && spot.x < other.x + other.width;
  return crosses && other.y < spot.y && spot.y < other.y + other.height + LABEL_BAND - 6;
}

/** Whether a zone or its label could be run into by the label. */
function besideLabel(spot, other) {
  return other.y - LABEL_BAND < spot.y && spot.y - LABEL_BAND < other.y + other.height;
}

function labelLines(text, room) {
  const letters = [...text];
  if (letters.length * LABEL_ONE * LABEL_LETTER <= room) return { size: LABEL_ONE, lines: [text] };
  const most = Math.max(Math.floor(room / (LABEL_TWO * LABEL_LETTER)), 4);
  return { size: LABEL_TWO, lines: brokenLabel(letters, most).map((line) => cutLabel(line, most)) };
}

/** In two at the space that leaves the shorter lines; one line if it fits or has no space. */
function brokenLabel(letters, most) {
  const spaces = letters.flatMap((letter, place) => (letter === " " ? [place] : []));
  if (letters.length <= most || !spaces.length) return [letters];
  const longer = (place) => Math.max(place, letters.length - place - 1);
  const space = spaces.reduce((best, place) => (longer(place) < longer(best) ? place : best));
  return [letters.slice(0, space), letters.slice(space + 1)];
}

function cutLabel(letters, most) {
  return letters.length <= most ? letters.join("") : letters.slice(0, most - 1).join("") + "…";
}
