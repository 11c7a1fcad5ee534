/** Rows moved apart where labels need more than the usual room; `service/pictures/svg/spots.py` says the same. */

const AIR = 6;

/** By area, how far down it moves: as far as everything above it, and what its own row lacks. */
export function rowMoves(spots, labels) {
  const lacking = new Map();
  spots.forEach((spot, place) => {
    const lacks = labels[place] === null ? 0 : lackingOf(spot, labels[place], spots);
    lacking.set(spot.y, Math.max(lacking.get(spot.y) ?? 0, lacks));
  });
  const rows = [...lacking].sort(([one], [other]) => one - other);
  return spots.map(({ y }) => rows.filter(([top]) => top <= y).reduce((sum, [, more]) => sum + more, 0));
}

/** What the label needs more than there is up to the nearest area above it; columns there are cut short. */
function lackingOf(spot, label, spots) {
  const above = spots.filter((other) => other.y + 140 <= spot.y && crossesLabel(label, other));
  return Math.max(0, label.height + AIR - Math.min(Infinity, ...above.map((other) => spot.y - other.y - 140)));
}

function crossesLabel(label, other) {
  return other.x < label.x + label.width && label.x < other.x + other.width;
}
