/** A board of cells to choose from, for commands that name cells by row and column. */

import type { Command } from "./api_types.ts";
import { isBoard } from "./boards.ts";
import type { Choice } from "./choosing.ts";
import { WAYS } from "./gestures.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import { type Cell, isCellList, plainWords } from "./naming.ts";
import type { PanelHeard } from "./panel.ts";
import { outlineCells, outlineDrawing, placesWords } from "./outlines.ts";

/** A command that fills these cells (`row,column`); `shape`: how they lie to each other. */
interface CellPlace {
  command: Command;
  name: string;
  cells: string[];
  shape: string;
}

interface Picker {
  node: HTMLElement;
  candidates: CellPlace[];
  shapes: string[];
  shape: string | null;
  chosen: string[];
  stop: string;
  heard: PanelHeard;
  background: string[];
}

/** Whether a saying names cells. */
export function hasCells({ values }: { values: Record<string, unknown> }): boolean {
  return Object.values(values).some(isCellList);
}

/** The board for the candidates that name cells: none if there are none. Cells chosen narrow them down, and so does a
 * way in which a shape may lie; then a cell with a mark takes the shape by its first cell. */
export function cellPicker(choice: Choice, heard: PanelHeard, facts: unknown): HTMLElement[] {
  const whole = choice.candidates.filter(({ option, open }) => hasCells(option) && !open.length);
  const candidates = whole.flatMap(({ option }) => placesOfCells(option));
  if (!candidates[0]) return [];
  const keyed = (event: Event) => walkCells(node, event as KeyboardEvent);
  const node = htmlNode("div", { class: "cells", role: "group", "aria-label": plainWords(candidates[0].name), keydown: keyed });
  const shapes = [...Map.groupBy(candidates, ({ shape }) => shape).keys()];
  const shape = shapes.length === 1 ? shapes[0] ?? null : null;
  drawCells({ node, candidates, shapes, shape, chosen: [], stop: "", heard, background: boardIn(facts) });
  return [node];
}

function placesOfCells({ command, values }: Choice["options"][number]): CellPlace[] {
  const found = Object.entries(values).find((pair): pair is [string, Cell[]] => isCellList(pair[1]));
  if (!found) return [];
  const [name, cells] = found;
  return [{ command, name, cells: cells.map(String), shape: JSON.stringify(outlineCells(cells)) }];
}

function drawCells(picker: Picker): void {
  const turned = picker.candidates.filter(({ shape }) => picker.shape === null || shape === picker.shape);
  const fitting = turned.filter(({ cells }) => picker.chosen.every((cell) => cells.includes(cell)));
  const open = new Set(fitting.flatMap(({ cells }) => cells)), size = boardSize(picker);
  const handles = new Map(picker.shape === null ? [] : turned.map(({ cells }) => [cells[0] ?? "", cells]));
  const rows = range(size.rows).map((row) => htmlNode("div", { class: "cell-row" },
    ...range(size.columns).map((column) => cellButton(picker, `${row},${column}`, open, fitting, handles))));
  const focused = document.activeElement?.getAttribute("data-cell");
  const step = picker.chosen.length ? "Here? Or press another place" : picker.shape === null ? "How shall it lie?" : "Press the dot where it shall go";
  picker.node.replaceChildren(htmlNode("h2", { "aria-live": "polite" }, step), ...shapeButtons(picker), ...rows, confirmCells(picker, fitting));
  stopAt(picker, picker.stop);
  if (focused) picker.node.querySelector<HTMLElement>(`[data-cell="${focused}"]`)?.focus();
}

/** Tab comes to this square and no other: the one last looked at, or the first that can be pressed. */
function stopAt({ node }: Picker, cell: string): void {
  const squares = [...node.querySelectorAll<HTMLElement>(".cell")], able = squares.filter(({ ariaDisabled }) => ariaDisabled === "false");
  const stop = squares.find(({ dataset }) => dataset["cell"] === cell) ?? able.find((one) => one.matches(".handle")) ?? able[0];
  for (const square of squares) square.tabIndex = square === stop ? 0 : -1;
}

/** Arrow keys go from square to square, also to those that are taken: so one hears how the board stands. */
function walkCells(node: HTMLElement, event: KeyboardEvent): void {
  const [right, down] = WAYS[event.key] ?? [0, 0], here = (event.target as Element).getAttribute("data-cell");
  if (here === null || right === down) return;
  const [row = 0, column = 0] = here.split(",").map(Number);
  event.preventDefault();
  event.stopPropagation();
  node.querySelector<HTMLElement>(`[data-cell="${row + down},${column + right}"]`)?.focus();
}

/** The ways in which the shape may lie, each drawn, with the number of its places. */
function shapeButtons(picker: Picker): HTMLElement[] {
  return [htmlNode("div", { class: "turnings", role: "group", "aria-label": "shape" }, ...picker.shapes.map((shape, place) => {
    const cells = JSON.parse(shape) as Cell[], count = picker.candidates.filter((candidate) => candidate.shape === shape).length;
    const press = () => turnShape(picker, shape), pressed = String(picker.shape === shape);
    const named = { class: "turning", "aria-pressed": pressed, "aria-label": `way ${place + 1}, ${placesWords(count)}` };
    const button = buttonNode("", press, named);
    button.append(outlineDrawing(cells), placesWords(count));
    return button;
  }))];
}

function turnShape(picker: Picker, shape: string): void {
  picker.shape = picker.shape === shape && picker.shapes.length > 1 ? null : shape;
  Object.assign(picker, { chosen: [], stop: "" });
  drawCells(picker);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place + 1);
}

function boardSize({ candidates, background }: Picker): { rows: number; columns: number } {
  const cells = candidates.flatMap((candidate) => candidate.cells.map((cell) => cell.split(",").map(Number)));
  const most = (place: number, least: number) => cells.reduce((max, cell) => Math.max(max, cell[place] ?? 0), least);
  return { rows: most(0, background.length), columns: most(1, background[0]?.length ?? 0) };
}

function cellButton(
  picker: Picker, cell: string, open: Set<string>, fitting: CellPlace[], handles: Map<string, string[]>,
): HTMLElement {
  const [row = 0, column = 0] = cell.split(",").map(Number), chosen = picker.chosen.includes(cell), taken = handles.get(cell);
  const sure = fitting.length === 1 && fitting[0]?.cells.includes(cell);
  const text = (picker.background[row - 1]?.[column - 1] ?? "").replace(".", "");
  const preview = () => showOutline(picker, taken), hide = () => showOutline(picker), able = open.has(cell) || taken !== undefined;
  const reached = () => {
    picker.stop = cell;
    stopAt(picker, cell);
    preview();
  };
  return buttonNode(text, () => able && toggleCell(picker, cell, taken), {
    class: `cell${sure ? " sure" : ""}${taken ? " handle" : ""}`, "data-cell": cell, "aria-pressed": String(chosen),
    "aria-disabled": String(!able), "aria-label": `row ${row}, column ${column}${text ? `, ${text}` : ""}${taken ? ", fits here" : ""}`,
    pointerenter: preview, focus: reached, pointerleave: hide, blur: hide,
  });
}

/** Marks the cells that the shape would fill. */
function showOutline({ node }: Picker, cells: string[] = []): void {
  for (const button of node.querySelectorAll("[data-cell]")) {
    button.classList.toggle("preview", cells.includes(button.getAttribute("data-cell") ?? ""));
  }
}

/** A shape that is taken by its first cell is chosen whole, there or elsewhere; other cells one by one. */
function toggleCell(picker: Picker, cell: string, taken: string[] | undefined): void {
  const had = picker.chosen.includes(cell);
  if (taken && !had) picker.chosen = [...taken];
  else if (had && picker.shape !== null) picker.chosen = [];
  else picker.chosen = had ? picker.chosen.filter((other) => other !== cell) : [...picker.chosen, cell];
  drawCells(picker);
}

/** One way left, or exactly the chosen cells. */
function confirmCells({ chosen, heard }: Picker, fitting: CellPlace[]): HTMLElement {
  const exact = fitting.filter(({ cells }) => cells.length === chosen.length);
  const only = fitting.length === 1 ? fitting[0] : exact.length === 1 ? exact[0] : undefined;
  const text = only ? "Place it here" : `${fitting.length} places`;
  const attributes = { class: "say", disabled: !only, "data-say": only?.command.type ?? null };
  return buttonNode(text, () => only && heard.say(only.command), attributes);
}

/** The first board among the facts, as high as it is wide: rows that are not told are missing above. */
function boardIn(facts: unknown): string[] {
  const breadth = isBoard(facts) ? facts[0]?.length ?? 0 : 0;
  if (isBoard(facts) && facts.length <= breadth) {
    return [...Array<string>(breadth - facts.length).fill(".".repeat(breadth)), ...facts];
  }
  const inside = facts !== null && typeof facts === "object" ? Object.values(facts) : [];
  return inside.map(boardIn).find((board) => board.length) ?? [];
}
