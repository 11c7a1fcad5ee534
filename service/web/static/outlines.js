/** Outlines: shapes that may be placed now, told as {cells, anchors}: where each lies is an anchor plus its cells. */

import { htmlNode } from "./markup.js";
import { isCellList } from "./naming.js";
import { svgNode } from "./table.js";

const OUTLINE_SQUARE = 10;

/** Whether a value is a list of outlines. */
export function isOutlineList(value) {
  return Array.isArray(value) && value.length > 0 && value.every((one) => isCellList(one?.cells) && Array.isArray(one.anchors));
}

/** The cells of a placed shape as they lie from the upper left corner of its frame. */
export function outlineCells(cells) {
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  return cells.map(([row, column]) => [row - top, column - left]);
}

/** How many places there are. */
export function placesWords(count) {
  return count === 1 ? "1 place" : `${count || "no"} places`;
}

/** A small drawing of a shape. */
export function outlineDrawing(cells) {
  const size = (axis) => (Math.max(...cells.map((cell) => cell[axis])) + 1) * OUTLINE_SQUARE;
  const squares = cells.map(([row, column]) => svgNode("rect", {
    x: column * OUTLINE_SQUARE + 1, y: row * OUTLINE_SQUARE + 1, width: OUTLINE_SQUARE - 2, height: OUTLINE_SQUARE - 2,
  }));
  const look = { viewBox: `0 0 ${size(1)} ${size(0)}`, width: size(1), height: size(0) };
  return svgNode("svg", { class: "outline", "aria-hidden": "true", ...look }, ...squares);
}

/** The shapes with the numbers of their places, for whoever looks on. */
export function outlinesFigure(heading, outlines) {
  const drawn = outlines.map(({ cells, anchors }) => (
    htmlNode("li", {}, outlineDrawing(cells), " ", placesWords(anchors.length))));
  return htmlNode("figure", { class: "board-figure" },
    htmlNode("figcaption", {}, htmlNode("strong", {}, heading)), htmlNode("ul", { class: "outlines" }, ...drawn));
}
