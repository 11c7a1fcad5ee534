/** The boards among a game's facts, drawn: parts that are told as lists of cells are areas in colours of their own. */

import { htmlNode, svgNode } from "./markup.ts";
import { isCellList, plainWords, valueName } from "./naming.ts";
import { seatName } from "./outcome.ts";
import { isOutlineList, outlinesFigure } from "./outlines.ts";
import type { ShownGame } from "./api.ts";
import type { Faces, View } from "./api_types.ts";
import type { Cell } from "./naming.ts";

/** What is told of a part of a board besides its cells: flags, and all else in one name. */
interface Part {
  name: string;
  flags: [string, boolean][];
  places: Cell[];
  letter: string;
  colour: number;
}

type Told = Record<string, unknown>;

const SQUARE = 24, COLOURS = 10;

/** Rows of one length, without spaces, not all of them letters and digits: `service/pictures/words.py` says the same. */
export function isBoard(value: unknown): value is string[] {
  if (!Array.isArray(value) || value.length < 3 || !value.every((row) => typeof row === "string")) return false;
  const breadth = lengthOf(value[0]);
  if (breadth < 3 || value.some((row) => row.length !== breadth)) return false;
  return !value.join("").includes(" ") && /[^A-Za-z0-9]/.test(value.join(""));
}

function lengthOf(row: string | undefined): number {
  return row?.length ?? 0;
}

/** Whether a fact is a board, or a list of things that have one each, or the outlines of what is being placed. */
export function isDrawn(value: unknown): boolean {
  return isBoard(value) || isOutlineList(value) || (Array.isArray(value) && value.some(boardNameIn));
}

function boardNameIn(thing: unknown): string | undefined {
  if (thing === null || typeof thing !== "object") return undefined;
  return Object.entries(thing).find(([, value]) => isBoard(value))?.[0];
}

/** A figure for each board; none where the zones of the view are the board themselves. */
export function boardsOf(view: View | null, game: ShownGame, faces: Faces): HTMLElement[] {
  if (!view || view.zones.some(({ layout }) => layout === "ring")) return [];
  return Object.entries(view.facts).filter(([, value]) => isDrawn(value)).flatMap(([name, value]) => {
    if (isOutlineList(value)) return [outlinesFigure(plainWords(name), value)];
    return isBoard(value) ? [boardFigure(plainWords(name), value, {}, faces)] : figuresOf(name, value as unknown[], game, faces);
  });
}

function figuresOf(name: string, things: unknown[], game: ShownGame, faces: Faces): HTMLElement[] {
  return things.map((thing, place) => {
    const { [boardNameIn(thing) ?? ""]: rows, ...rest } = thing as Told;
    const heading = name === "seats" ? seatName(game, place) : `${plainWords(name)} ${place + 1}`;
    return boardFigure(heading, isBoard(rows) ? rows : [], rest, faces);
  });
}

function boardFigure(heading: string, rows: string[], rest: Told, faces: Faces): HTMLElement {
  const parts = boardParts(Object.values(rest).filter(isPartList).flat(), rows);
  const plain = Object.entries(rest).filter(([, value]) => !isPartList(value));
  return htmlNode("figure", { class: "board-figure" },
    htmlNode("figcaption", {}, htmlNode("strong", {}, heading), " ", shortFacts(plain, faces)),
    boardDrawing(heading, rows, parts), legendOf(parts));
}

function isPartList(value: unknown): value is (Told & { cells: Cell[] })[] {
  return Array.isArray(value) && value.length > 0 && value.every((part: Told | null) => isCellList(part?.["cells"]));
}

/** A board is as high as it is wide; rows that are not told are missing above. */
function rowsLeftOut(rows: string[]): number {
  return Math.max(lengthOf(rows[0]) - rows.length, 0);
}

/** The rows of a board drawn alone, with the parts that lie on it. */
export function drawnBoard(heading: string, rows: unknown, parts: unknown): SVGElement | null {
  return isBoard(rows) ? boardDrawing(heading, rows, boardParts(isPartList(parts) ? parts : [], rows)) : null;
}

function boardParts(parts: (Told & { cells: Cell[] })[], rows: string[]): Part[] {
  const left = rowsLeftOut(rows);
  return parts.map(({ cells, ...facts }) => {
    const places = cells.map(([row, column]): Cell => [row - 1 - left, column - 1]), [row, column] = places[0] ?? [-1, -1];
    const flags = Object.entries(facts).filter((pair): pair is [string, boolean] => typeof pair[1] === "boolean");
    const name = Object.values(facts).filter((value) => typeof value !== "boolean").map((value) => valueName(value)).join(", ");
    return { name, flags, places, letter: rows[row]?.[column] ?? "", colour: colourOf(name) };
  });
}

function colourOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997, 7) % COLOURS;
}

/** What is told in a line: `score 3 · hand size 4 · passed`. */
export function shortFacts(pairs: [string, unknown][], faces: Faces): string {
  const facts = pairs.filter(([name, value]) => name !== "type" && value !== null && value !== false && !isEmpty(value));
  return facts.map(([name, value]) => (
    value === true ? plainWords(name) : `${plainWords(name)} ${valueName(value, {}, faces)}`)).join(" · ");
}

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

function boardDrawing(heading: string, rows: string[], parts: Part[]): SVGElement {
  const owner = new Map(parts.flatMap((part) => part.places.map((place) => [place.join(), part] as const)));
  const left = parts.length ? rowsLeftOut(rows) : 0;
  const squares = rows.flatMap((row, down) => [...row].map((sign, along) => square(sign, down, along, owner, left)));
  const size = { viewBox: `-1 -1 ${lengthOf(rows[0]) * SQUARE + 2} ${rows.length * SQUARE + 2}` };
  return svgNode("svg", { class: "board", role: "img", "aria-label": `The board of ${heading}`, ...size }, ...squares.flat());
}

/** A square with its sign; it runs into its neighbours of the same part. */
function square(sign: string, down: number, along: number, owner: Map<string, Part>, left: number): SVGElement[] {
  const part = owner.get(`${down},${along}`), x = along * SQUARE, y = down * SQUARE;
  const joined = (row: number, column: number) => (part && owner.get(`${row},${column}`) === part ? 2 : 0);
  const off = part?.flags.some(([, set]) => !set);
  const kind = part ? `board-part colour-${part.colour}${off ? " off" : ""}` : "table-square";
  const width = SQUARE - 2 + joined(down, along + 1), height = SQUARE - 2 + joined(down + 1, along);
  const label = part ? partName(part) : sign === "." ? "empty" : sign;
  const title = svgNode("title", {}, `row ${down + 1 + left}, column ${along + 1}: ${label}`);
  const ink = { class: part && !off ? "board-sign" : "board-sign table-ink", x: x + SQUARE / 2, y: y + 17 };
  return [
    svgNode("rect", { class: kind, x: x + 1, y: y + 1, width, height, "data-square": `${down + 1 + left},${along + 1}` }, title),
    svgNode("text", ink, sign === "." ? "" : sign),
  ];
}

function partName({ name, flags }: Part): string {
  return [name, ...flags.map(([flag, set]) => `${plainWords(flag)}: ${set ? "yes" : "no"}`)].join(", ");
}

/** What stands on the board: each kind once, and how many of it are what they can be. */
function legendOf(parts: Part[]): HTMLElement {
  const kinds = Map.groupBy(parts, ({ name }) => name);
  return htmlNode("ul", { class: "board-legend" }, ...[...kinds].map(([name, all]) => htmlNode("li", {},
    htmlNode("span", { class: `board-key colour-${all[0]?.colour}`, "aria-hidden": "true" }, all[0]?.letter ?? ""), " ",
    [all.length > 1 ? `${name} ×${all.length}` : name, ...flagsOf(all)].join(", "))));
}

function flagsOf(all: Part[]): string[] {
  return (all[0]?.flags ?? []).map(([flag], place) => {
    const set = all.filter(({ flags }) => flags[place]?.[1]).length;
    return all.length === 1 ? `${plainWords(flag)}: ${set ? "yes" : "no"}` : `${plainWords(flag)}: ${set} of ${all.length}`;
  });
}
