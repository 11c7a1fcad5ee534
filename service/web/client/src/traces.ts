/** Moves drawn over a table: what was played is outlined, what was missed is an arrow. */

import type { View } from "./api_types.ts";
import { type Board, CARD_HEIGHT, CARD_WIDTH, type Point } from "./board.ts";
import { type Flight, flightsBetween } from "./flights.ts";
import { svgNode } from "./markup.ts";
import { type PlacedCard, placeCards } from "./placing.ts";

const EDGE = 3, SHAFT = 7, HEAD = 22, HEAD_LONG = 40, TOP = 30;

/** A move from one view to the next; `words` say it to who does not see it, where nothing else does. */
export interface Trace {
  kind: "played" | "missed";
  before: View;
  after: View;
  words: string | null;
}

/** The drawing of a move on this board. */
export function traceNode({ kind, before, after, words }: Trace, board: Board): SVGElement {
  const [one, other] = [before, after].map(({ zones }) => ({ board, cards: placeCards(board, zones) }));
  const flights = one && other ? flightsBetween(one, other) : [];
  const runs = [...Map.groupBy(flights, ({ from, to }) => `${from.zone} ${to.zone}`).values()];
  return svgNode("g", { class: `trace ${kind}`, role: words ? "img" : null, "aria-label": words, "aria-hidden": words ? null : "true" },
    ...runs.flatMap((run) => (kind === "played" ? outlinesOf(run) : arrowOf(run))));
}

/** Where the cards came from, and where they lie now. */
function outlinesOf(run: Flight[]): SVGElement[] {
  return [outlineOf(run.map(({ from }) => from), "trace-from"), outlineOf(run.map(({ to }) => to), "trace-to")];
}

function arrowOf(run: Flight[]): SVGElement[] {
  const [first] = run;
  if (!first) return [];
  const from = pointOn(first.from, run.length > 1 ? TOP : CARD_HEIGHT / 2), to = pointOn(first.to, CARD_HEIGHT / 2);
  return [outlineOf(run.map((one) => one.from), "trace-to"), outlineOf(run.map((one) => one.to), "trace-from"), arrow(from, to)];
}

function pointOn({ x, y, scale }: PlacedCard, down: number): Point {
  return [x + CARD_WIDTH / 2 * scale, y + down * scale];
}

/** Round the cards of a run, which lie one on the other. */
function outlineOf(cards: PlacedCard[], name: string): SVGElement {
  const boxes = cards.map(({ x, y, scale, turn }) => {
    const [wide, high] = turn % 180 ? [CARD_HEIGHT, CARD_WIDTH] : [CARD_WIDTH, CARD_HEIGHT];
    const [left, top] = [x + (CARD_WIDTH - wide) / 2 * scale, y + (CARD_HEIGHT - high) / 2 * scale];
    return { left, top, right: left + wide * scale, bottom: top + high * scale };
  });
  const left = Math.min(...boxes.map((box) => box.left)) - EDGE, top = Math.min(...boxes.map((box) => box.top)) - EDGE;
  const width = Math.max(...boxes.map((box) => box.right)) + EDGE - left;
  const height = Math.max(...boxes.map((box) => box.bottom)) + EDGE - top;
  return svgNode("rect", { class: name, x: left, y: top, width, height, rx: 10 });
}

function arrow([x, y]: Point, [toX, toY]: Point): SVGElement {
  const far = Math.hypot(toX - x, toY - y), neck = Math.max(far - HEAD_LONG, 0);
  const turn = Math.atan2(toY - y, toX - x) * 180 / Math.PI;
  const shape = `M0 ${-SHAFT}H${neck}V${-HEAD}L${far} 0L${neck} ${HEAD}V${SHAFT}H0z`;
  return svgNode("path", { class: "trace-arrow", d: shape, transform: `translate(${x} ${y}) rotate(${turn})` });
}
