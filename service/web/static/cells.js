/** A board of cells to choose from, for commands that name cells by row and column. */

import { isBoard } from "./boards.js";
import { buttonNode, htmlNode } from "./markup.js";
import { isCellList, plainWords } from "./naming.js";
import { outlineCells, outlineDrawing, placesWords } from "./outlines.js";

/** Whether a saying names cells. */
export function hasCells({ values }) {
  return Object.values(values).some(isCellList);
}

/** The board for the candidates that name cells: none if there are none. Cells chosen narrow them down, and so does a
 * way in which a shape may lie; then a cell with a mark takes the shape by its first cell. */
export function cellPicker(choice, heard, facts) {
  const whole = choice.candidates.filter(({ option, open }) => hasCells(option) && !open.length);
  const candidates = whole.map(({ option }) => placeOf(option));
  if (!candidates.length) return [];
  const node = htmlNode("div", { class: "cells", role: "group", "aria-label": plainWords(candidates[0].name) });
  const shapes = [...Map.groupBy(candidates, ({ shape }) => shape).keys()];
  const shape = shapes.length === 1 ? shapes[0] : null;
  drawCells({ node, candidates, shapes, shape, chosen: [], heard, background: boardIn(facts) });
  return [node];
}

function placeOf({ command, values }) {
  const [name, cells] = Object.entries(values).find(([, value]) => isCellList(value));
  return { command, name, cells: cells.map(String), shape: JSON.stringify(outlineCells(cells)) };
}

function drawCells(picker) {
  const turned = picker.candidates.filter(({ shape }) => picker.shape === null || shape === picker.shape);
  const fitting = turned.filter(({ cells }) => picker.chosen.every((cell) => cells.includes(cell)));
  const open = new Set(fitting.flatMap(({ cells }) => cells)), size = boardSize(picker);
  const handles = new Map(picker.shape === null ? [] : turned.map(({ cells }) => [cells[0], cells]));
  const rows = range(size.rows).map((row) => htmlNode("div", { class: "cell-row" },
    ...range(size.columns).map((column) => cellButton(picker, `${row},${column}`, open, fitting, handles))));
  const focused = document.activeElement?.dataset?.cell;
  picker.node.replaceChildren(...shapeButtons(picker), ...rows, confirmCells(picker, fitting));
  if (focused) picker.node.querySelector(`[data-cell="${focused}"]`)?.focus();
}

/** The ways in which the shape may lie, each drawn, with the number of its places. */
function shapeButtons(picker) {
  return [htmlNode("div", { class: "turnings", role: "group", "aria-label": "shape" }, ...picker.shapes.map((shape, place) => {
    const cells = JSON.parse(shape), count = picker.candidates.filter((candidate) => candidate.shape === shape).length;
    const press = () => turnShape(picker, shape), pressed = String(picker.shape === shape);
    const named = { class: "turning", "aria-pressed": pressed, "aria-label": `way ${place + 1}, ${placesWords(count)}` };
    const button = buttonNode("", press, named);
    button.append(outlineDrawing(cells), placesWords(count));
    return button;
  }))];
}

function turnShape(picker, shape) {
  picker.shape = picker.shape === shape && picker.shapes.length > 1 ? null : shape;
  picker.chosen = [];
  drawCells(picker);
}

function range(count) {
  return Array.from({ length: count }, (none, place) => place + 1);
}

function boardSize({ candidates, background }) {
  const cells = candidates.flatMap((candidate) => candidate.cells.map((cell) => cell.split(",").map(Number)));
  const most = (place, least) => cells.reduce((max, cell) => Math.max(max, cell[place]), least);
  return { rows: most(0, background.length), columns: most(1, background[0]?.length ?? 0) };
}

function cellButton(picker, cell, open, fitting, handles) {
  const [row, column] = cell.split(",").map(Number), chosen = picker.chosen.includes(cell), taken = handles.get(cell);
  const sure = fitting.length === 1 && fitting[0].cells.includes(cell);
  const text = (picker.background[row - 1]?.[column - 1] ?? "").replace(".", "");
  const preview = () => showOutline(picker, taken), hide = () => showOutline(picker);
  return buttonNode(text, () => toggleCell(picker, cell, taken), {
    class: `cell${sure ? " sure" : ""}${taken ? " handle" : ""}`, "data-cell": cell, "aria-pressed": String(chosen),
    disabled: !open.has(cell), "aria-label": `row ${row}, column ${column}${text ? `, ${text}` : ""}${taken ? ", fits here" : ""}`,
    pointerenter: preview, focus: preview, pointerleave: hide, blur: hide,
  });
}

/** Marks the cells that the shape would fill. */
function showOutline({ node }, cells = []) {
  for (const button of node.querySelectorAll("[data-cell]")) button.classList.toggle("preview", cells.includes(button.dataset.cell));
}

/** A shape that is taken by its first cell is chosen whole; other cells one by one. */
function toggleCell(picker, cell, taken) {
  const had = picker.chosen.includes(cell);
  if (taken && !picker.chosen.length) picker.chosen = [...taken];
  else if (had && picker.shape !== null) picker.chosen = [];
  else picker.chosen = had ? picker.chosen.filter((other) => other !== cell) : [...picker.chosen, cell];
  drawCells(picker);
}

/** One way left, or exactly the chosen cells. */
function confirmCells({ chosen, heard }, fitting) {
  const exact = fitting.filter(({ cells }) => cells.length === chosen.length);
  const only = fitting.length === 1 ? fitting[0] : exact.length === 1 ? exact[0] : null;
  const text = only ? "Here" : `${fitting.length} places`;
  const attributes = { class: "say", disabled: !only, "data-say": only?.command.type ?? null };
  return buttonNode(text, () => heard.say(only.command), attributes);
}

/** The first board among the facts, as high as it is wide: rows that are not told are missing above. */
function boardIn(facts) {
  if (isBoard(facts) && facts.length <= facts[0].length) {
    return [...Array(facts[0].length - facts.length).fill(".".repeat(facts[0].length)), ...facts];
  }
  const inside = facts !== null && typeof facts === "object" ? Object.values(facts) : [];
  return inside.map(boardIn).find((board) => board.length) ?? [];
}
