/** The plates under what belongs to a seat, where several have something; `service/pictures/svg/placing.py` says the same. */

const SIDE = 7, TOP = 1, BOTTOM = 4;

/** One {seat, x, y, width, height} for each run of neighbours in a row that belong to one seat. */
export function platesOf(spots, labels) {
  const both = spots.map((spot, place) => ({ spot, label: labels[place], seat: spot.zone.owner ?? null }));
  if (new Set(both.flatMap(({ seat }) => (seat === null ? [] : [seat]))).size < 2) return [];
  both.sort((one, other) => one.spot.y - other.spot.y || one.spot.x - other.spot.x);
  return runsOf(both).filter((run) => run[0].seat !== null).map(plateUnder);
}

function runsOf(both) {
  const runs = [];
  for (const one of both) {
    const last = runs.at(-1)?.[0];
    if (last && last.spot.y === one.spot.y && last.seat === one.seat) runs.at(-1).push(one);
    else runs.push([one]);
  }
  return runs;
}

function plateUnder(run) {
  const spots = run.map(({ spot }) => spot), labels = run.flatMap(({ label }) => (label === null ? [] : [label]));
  const x = Math.min(...spots.map((spot) => spot.x)) - SIDE;
  const y = spots[0].y - Math.max(0, ...labels.map(({ height }) => height)) - TOP;
  const ends = [...spots.map((spot) => spot.x + spot.width + SIDE), ...labels.map((label) => label.x + label.width)];
  const lower = Math.max(...spots.map((spot) => spot.y + spot.height)) + BOTTOM;
  return { seat: run[0].seat, x, y, width: Math.max(...ends) - x, height: lower - y };
}
