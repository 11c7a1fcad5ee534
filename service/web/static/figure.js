/** The lines of a board: `service/pictures/svg/placing.py` says the same, and what a ring is. */

const SAME_ANGLE = 0.001;

/** Closed rings, then spokes, through these [x, y]; none where they are not two rings or more of one size. */
export function figureLines(places) {
  const rings = ringsOf(places);
  if (rings.length < 2 || rings[0].length < 3 || rings.some((ring) => ring.length !== rings[0].length)) return [];
  return [...rings.map((ring) => [...ring, ring[0]]), ...rings[0].map((_, spoke) => rings.map((ring) => ring[spoke]))];
}

/** The lines as the `d` of a <path>. */
export function figurePath(lines) {
  return lines.map((line) => "M" + line.map(([x, y]) => `${x} ${y}`).join("L")).join("");
}

function ringsOf(places) {
  const rings = [];
  const middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
  const angleOf = ([x, y]) => Math.atan2(y - middle[1], x - middle[0]);
  for (const place of places) {
    if (!rings.length || Math.abs(angleOf(place) - angleOf(places[0])) < SAME_ANGLE) rings.push([]);
    rings.at(-1).push(place);
  }
  return rings;
}
