/** Outlines: shapes that may be placed now, told as {cells, anchors}: where each lies is an anchor plus its cells. */

import { htmlNode, svgNode } from "./markup.ts";
import { type Cell, isCellList } from "./naming.ts";

const OUTLINE_SQUARE = 10;

/** A shape and where it may lie. */
export interface Outline {
  cells: Cell[];
  anchors: unknown[];
}

/** Whether a value is a list of outlines. */
export function isOutlineList(value: unknown): value is Outline[] {
  return Array.isArray(value) && value.length > 0 && value.every(isOutline);
}

function isOutline(value: Partial<Outline> | null): boolean {
  return isCellList(value?.cells) && Array.isArray(value.anchors);
}

/** The cells of a placed shape as they lie from the upper left corner of its frame. */
export function outlineCells(cells: Cell[]): Cell[] {
  const top = Math.min(...cells.map(([row]) => row)), left = Math.min(...cells.map(([, column]) => column));
  return cells.map(([row, column]) => [row - top, column - left]);
}

/** How many places there are. */
export function placesWords(count: number): string {
  return count === 1 ? "1 place" : `${count || "no"} places`;
}

/** A small drawing of a shape. */
export function outlineDrawing(cells: Cell[]): SVGElement {
  const size = (axis: 0 | 1) => (Math.max(...cells.map((cell) => cell[axis])) + 1) * OUTLINE_SQUARE;
  const squares = cells.map(([row, column]) => svgNode("rect", {
    x: column * OUTLINE_SQUARE + 1, y: row * OUTLINE_SQUARE + 1, width: OUTLINE_SQUARE - 2, height: OUTLINE_SQUARE - 2,
  }));
  const look = { viewBox: `0 0 ${size(1)} ${size(0)}`, width: size(1), height: size(0) };
  return svgNode("svg", { class: "outline", "aria-hidden": "true", ...look }, ...squares);
}

/** The shapes with the numbers of their places, for whoever looks on. */
export function outlinesFigure(heading: string, outlines: Outline[]): HTMLElement {
  const drawn = outlines.map(({ cells, anchors }) => (
    htmlNode("li", {}, outlineDrawing(cells), " ", placesWords(anchors.length))));
  return htmlNode("figure", { class: "board-figure" },
    htmlNode("figcaption", {}, htmlNode("strong", {}, heading)), htmlNode("ul", { class: "outlines" }, ...drawn));
}
