/** What lies under the zones of a table: lines, boards among the facts, the plates of the seats. */

import type { Source } from "./api.ts";
import type { View } from "./api_types.ts";
import { type Board, CARD_HEIGHT, CARD_WIDTH, type Circle, type Figure, type Point, type Seating } from "./board.ts";
import { drawnBoard } from "./boards.ts";
import { chipText, noteOf, valueAt } from "./chips.ts";
import { setAttributes, svgNode } from "./markup.ts";
import { SIGNS } from "./naming.ts";
import { seatName } from "./outcome.ts";

const SIGN = 14.4, LETTER = 0.6, PLATE_LETTER = 0.52;

/** Type of this size, smaller where the text would be wider than the room. */
export function fittingSize(text: string, size: number, room: number, letter = LETTER): number {
  return Math.round(Math.min(size, room / (Math.max([...text].length, 1) * letter)) * 100) / 100;
}

/** The layers under the zones. */
export function feltOf(board: Board, view: View, source: Source, least: number): SVGElement[] {
  const figures = board.figures.map((figure) => (figure.rows?.length ? legendOf(figure, figure.rows, view.facts, least) : figureIn(figure, view.facts, least))).filter((one) => one !== null);
  const path = svgNode("path", { class: "table-line", fill: "none", d: [...board.circles.map(circleOf), ...board.lines.map(lineOf)].join("") });
  return [...figures, path, ...board.seats.map((seating) => plateOf(seating, view, source, least))];
}

function lineOf(line: Point[]): string {
  return "M" + line.map(([x, y]) => `${x * CARD_WIDTH} ${y * CARD_HEIGHT}`).join("L");
}

/** Two half circles from its leftmost point. */
function circleOf([x, y, radius]: Circle): string {
  const wide = radius * CARD_WIDTH, half = `a${wide} ${wide} 0 0 1 `;
  return `M${x * CARD_WIDTH - wide} ${y * CARD_HEIGHT}${half}${2 * wide} 0${half}${-2 * wide} 0`;
}

function areaOf({ x, y, width, height }: Seating | Figure) {
  return { x: x * CARD_WIDTH, y: y * CARD_HEIGHT, width: width * CARD_WIDTH, height: height * CARD_HEIGHT };
}

/** A board on the felt, its letters never smaller than can be read. */
function figureIn(figure: Figure, facts: unknown, least: number): SVGElement | null {
  const drawn = drawnBoard("the table", valueAt(facts, figure.fact), valueAt(facts, figure.parts)), area = areaOf(figure);
  if (!drawn) return null;
  setAttributes(drawn, { ...area, class: "board table-board", "data-fact": figure.fact, preserveAspectRatio: "xMidYMin" });
  const units = Number(drawn.getAttribute("viewBox")?.split(" ")[2]) / area.width;
  drawn.style.setProperty("--sign", `${Math.max(SIGN, least * units)}px`);
  return drawn;
}

/** A table of words on paper, bids with their suits, nothing while it is empty; a single row on the felt. */
function legendOf(figure: Figure, notes: string[][], facts: unknown, least: number): SVGElement | null {
  const rows = notes.map((row) => row.map((note) => noteOf(note, facts))), paper = rows.length > 1, { x, y, width, height } = areaOf(figure);
  if (paper && !rows.slice(1).some((row) => row.slice(1).some(Boolean))) return null;
  const wide = width / (rows[0]?.length ?? 1), high = height / rows.length, usual = Math.max(high * 0.62, Math.min(least, high * 0.9));
  const size = Math.min(...rows.flat().map((text) => fittingSize(text, usual, wide - 8, PLATE_LETTER)));
  return svgNode("g", { class: "plate" },
    ...(paper ? [svgNode("rect", { class: "card-paper", fill: "#fffdf7", x, y, width, height, rx: 8 })] : []),
    ...rows.flatMap((row, down) => row.map((text, across) => {
      const bid = paper && /^\d[SHDC]/.test(text) ? text[1] ?? "" : "", fill = "HD".includes(bid) && bid ? "#c4122f" : "#1d2733";
      const where = { x: x + (across + 0.5) * wide, y: y + (down + 0.71) * high, "font-size": size, "text-anchor": "middle" };
      return svgNode("text", paper ? { ...where, fill } : { ...where, class: "table-faint" }, text.replace(bid, SIGNS[bid] ?? ""));
    })));
}

/** Who sits there: a mark if it is their turn, the name, the chips; type of the least size where the plate has the height. */
function plateOf(seating: Seating, view: View, { game, chips }: Source, least: number): SVGElement {
  const { x, y, width, height } = areaOf(seating), seat = Number(seating.seat), acts = view.to_act.includes(seat);
  const name = seatName(game, seat);
  const values = chips.filter((chip) => chip.seat).map((chip) => chipText(chip, view.facts, seat)).filter(Boolean).join("  ");
  const size = fittingSize(`${name}  ${values}`, Math.max(height * 0.62, Math.min(least, height * 0.9)), width - height - 16, PLATE_LETTER), baseline = y + height * 0.71;
  const text = { y: baseline, "font-size": size };
  return svgNode("g", { class: "plate", "data-seat": seat, "data-turn": acts ? "" : null },
    svgNode("rect", { class: "table-plate", x, y, width, height, rx: height / 2 }),
    ...(acts ? [svgNode("circle", { class: "table-turn", cx: x + height * 0.53, cy: y + height / 2, r: height / 5 })] : []),
    svgNode("text", { ...text, class: "plate-name table-ink", x: x + height }, name),
    svgNode("text", { ...text, class: "table-faint", x: x + width - 16, "text-anchor": "end" }, values));
}
