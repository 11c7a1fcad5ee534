/** The boards among a game's facts, drawn: parts that are told as lists of cells are areas in colours of their own. */

import { htmlNode } from "./markup.js";
import { isCellList, plainWords, valueName } from "./naming.js";
import { seatName } from "./outcome.js";
import { isOutlineList, outlinesFigure } from "./outlines.js";
import { svgNode } from "./table.js";

const SQUARE = 24, COLOURS = 10;

/** Rows of one length, without spaces, not all of them letters and digits: `service/pictures/words.py` says the same. */
export function isBoard(value) {
  const rows = Array.isArray(value) && value.length > 2 && value.every((row) => typeof row === "string");
  if (!rows || value[0].length < 3 || value.some((row) => row.length !== value[0].length)) return false;
  return !value.join("").includes(" ") && /[^A-Za-z0-9]/.test(value.join(""));
}

/** Whether a fact is a board, or a list of things that have one each, or the outlines of what is being placed. */
export function isDrawn(value) {
  return isBoard(value) || isOutlineList(value) || (Array.isArray(value) && value.some(boardNameIn));
}

function boardNameIn(thing) {
  return thing && typeof thing === "object" ? Object.keys(thing).find((name) => isBoard(thing[name])) : undefined;
}

/** A figure for each board; none where the zones of the view are the board themselves. */
export function boardsOf(view, game, faces) {
  if (!view?.facts || view.zones.some(({ layout }) => layout === "ring")) return [];
  return Object.entries(view.facts).filter(([, value]) => isDrawn(value)).flatMap(([name, value]) => {
    if (isOutlineList(value)) return [outlinesFigure(plainWords(name), value)];
    return isBoard(value) ? [boardFigure(plainWords(name), value, {}, faces)] : figuresOf(name, value, game, faces);
  });
}

function figuresOf(name, things, game, faces) {
  return things.map((thing, place) => {
    const { [boardNameIn(thing)]: rows, ...rest } = thing;
    return boardFigure(name === "seats" ? seatName(game, place) : `${plainWords(name)} ${place}`, rows ?? [], rest, faces);
  });
}

function boardFigure(heading, rows, rest, faces) {
  const lists = Object.entries(rest).filter(([, value]) => isPartList(value));
  const parts = boardParts(lists.flatMap(([, value]) => value), rows);
  const plain = Object.entries(rest).filter(([, value]) => !isPartList(value));
  return htmlNode("figure", { class: "board-figure" },
    htmlNode("figcaption", {}, htmlNode("strong", {}, heading), " ", shortFacts(plain, faces)),
    boardDrawing(heading, rows, parts), legendOf(parts));
}

function isPartList(value) {
  return Array.isArray(value) && value.length > 0 && value.every((part) => isCellList(part?.cells));
}

/** A board is as high as it is wide; rows that are not told are missing above. */
function rowsLeftOut(rows) {
  return Math.max((rows[0]?.length ?? 0) - rows.length, 0);
}

/** {name, flags, places, letter, colour} of each part. */
function boardParts(parts, rows) {
  const left = rowsLeftOut(rows);
  return parts.map(({ cells, ...told }) => {
    const places = cells.map(([row, column]) => [row - 1 - left, column - 1]), [row, column] = places[0];
    const flags = Object.entries(told).filter(([, value]) => typeof value === "boolean");
    const name = Object.values(told).filter((value) => typeof value !== "boolean").map((value) => valueName(value)).join(", ");
    return { name, flags, places, letter: rows[row]?.[column] ?? "", colour: colourOf(name) };
  });
}

function colourOf(name) {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 997, 7) % COLOURS;
}

/** What is told in a line: `score 3 · hand size 4 · passed`. */
export function shortFacts(pairs, faces) {
  const told = pairs.filter(([name, value]) => name !== "type" && value !== null && value !== false && value.length !== 0);
  return told.map(([name, value]) => (
    value === true ? plainWords(name) : `${plainWords(name)} ${valueName(value, {}, faces)}`)).join(" · ");
}

function boardDrawing(heading, rows, parts) {
  const owner = new Map(parts.flatMap((part) => part.places.map((place) => [place.join(), part])));
  const left = parts.length ? rowsLeftOut(rows) : 0;
  const squares = rows.flatMap((row, down) => [...row].map((sign, along) => square(sign, down, along, owner, left)));
  const size = { viewBox: `-1 -1 ${(rows[0]?.length ?? 0) * SQUARE + 2} ${rows.length * SQUARE + 2}` };
  return svgNode("svg", { class: "board", role: "img", "aria-label": `The board of ${heading}`, ...size }, ...squares.flat());
}

/** A square with its sign; it runs into its neighbours of the same part. */
function square(sign, down, along, owner, left) {
  const part = owner.get(`${down},${along}`), x = along * SQUARE, y = down * SQUARE;
  const joined = (row, column) => (part && owner.get(`${row},${column}`) === part ? 2 : 0);
  const off = part?.flags.some(([, set]) => !set);
  const kind = part ? `board-part colour-${part.colour}${off ? " off" : ""}` : "table-square";
  const width = SQUARE - 2 + joined(down, along + 1), height = SQUARE - 2 + joined(down + 1, along);
  const said = part ? partName(part) : sign === "." ? "empty" : sign;
  const title = svgNode("title", {}, `row ${down + 1 + left}, column ${along + 1}: ${said}`);
  const ink = { class: part && !off ? "board-sign" : "board-sign table-ink", x: x + SQUARE / 2, y: y + 17 };
  return [
    svgNode("rect", { class: kind, x: x + 1, y: y + 1, width, height }, title),
    svgNode("text", ink, sign === "." ? "" : sign),
  ];
}

function partName({ name, flags }) {
  return [name, ...flags.map(([flag, set]) => `${plainWords(flag)}: ${set ? "yes" : "no"}`)].join(", ");
}

/** What stands on the board: each kind once, and how many of it are what they can be. */
function legendOf(parts) {
  const kinds = Map.groupBy(parts, ({ name }) => name);
  return htmlNode("ul", { class: "board-legend" }, ...[...kinds].map(([name, all]) => htmlNode("li", {},
    htmlNode("span", { class: `board-key colour-${all[0].colour}`, "aria-hidden": "true" }, all[0].letter), " ",
    [all.length > 1 ? `${name} ×${all.length}` : name, ...flagsOf(all)].join(", "))));
}

function flagsOf(all) {
  return all[0].flags.map(([flag], place) => {
    const set = all.filter(({ flags }) => flags[place]?.[1]).length;
    return all.length === 1 ? `${plainWords(flag)}: ${set ? "yes" : "no"}` : `${plainWords(flag)}: ${set} of ${all.length}`;
  });
}
