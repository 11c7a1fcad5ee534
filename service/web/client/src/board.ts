/** Where a game's zones lie in a drawing of fixed size: `domain/board.py` makes these values and says what they mean. */

import type { Zone } from "./api_types.ts";
import { pageData } from "./markup.ts";

export const CARD_WIDTH = 100, CARD_HEIGHT = 140, GAP = 0.08;
const MARGIN = 0.08, LABEL = 0.18;

/** x and y. */
export type Point = [number, number];

/** The middle, and the radius in card widths. */
export type Circle = [x: number, y: number, radius: number];

/** One zone on the board, in card widths and card heights. */
export interface Place {
  zone: string;
  x: number;
  y: number;
  spread: "pile" | "down" | "right";
  room: number;
  step: number | null;
  shown: number | null;
  scale: number;
  turn: number;
  label: boolean;
  mark: string;
  outline: boolean;
  title: string;
  note: string;
}

/** A rectangle in card widths and card heights. */
interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Seating extends Area {
  seat: string;
}

export interface Figure extends Area {
  fact: string;
  parts: string;
  rows?: string[][];
}

export interface Board {
  width: number;
  height: number;
  places: Place[];
  seats: Seating[];
  figures: Figure[];
  lines: Point[][];
  circles: Circle[];
}

type Under = "seats" | "figures" | "lines" | "circles";

/** A board as the page tells it: what is as usual is left out. */
export type ToldBoard = Omit<Board, "places" | Under>
  & Partial<Pick<Board, Under>>
  & { places: (Pick<Place, "zone" | "x" | "y"> & Partial<Place>)[] };

/** The board for windows that are wider than high, and the one for a phone held upright. */
export interface ToldBoards {
  wide: ToldBoard;
  tall: ToldBoard;
}

type PackedBoard = Omit<ToldBoard, "places"> & { places: (Partial<Place> & { at: [zone: string, x: number, y: number][] })[] };

/** The boards that the page holds: `service/pictures/placing.py` has packed them. */
export function boardsOnPage(): ToldBoards {
  const { wide, tall } = pageData<Record<keyof ToldBoards, PackedBoard>>("kibitz-boards");
  return { wide: unpacked(wide), tall: unpacked(tall) };
}

function unpacked(board: PackedBoard): ToldBoard {
  return { ...board, places: board.places.flatMap(({ at, ...alike }) => at.map(([zone, x, y]) => ({ ...alike, zone, x, y }))) };
}

const USUAL: Omit<Place, "zone" | "x" | "y"> = {
  spread: "pile", room: 1, step: null, shown: null, scale: 1, turn: 0, label: true, mark: "", outline: true, title: "", note: "",
};

/** The board as it is seen from this seat of so many; who has none looks as seat 0 does. */
export function seatBoard(board: ToldBoard, seat: number | null, seats: number): Board {
  const name = (text: string) => (
    text.replaceAll(/@(\d+)/g, (_, away: string) => String(((seat ?? 0) + Number(away)) % Math.max(seats, 1))));
  const { width, height, places, lines = [], circles = [] } = board;
  return {
    width, height, lines, circles, places: places.map((one) => ({ ...USUAL, ...one, zone: name(one.zone) })),
    seats: (board.seats ?? []).map((one) => ({ ...one, seat: name(one.seat) })),
    figures: (board.figures ?? []).map((one) => ({ ...one, fact: name(one.fact), parts: name(one.parts) })),
  };
}

/** The board with the zones that it does not name, side by side in a row below the rest. */
export function completeBoard(board: Board, zones: Zone[]): Board {
  const named = new Set(board.places.map(({ zone }) => zone)), lost = zones.filter(({ id }) => !named.has(id));
  const places = lost.map(({ id }, at): Place => (
    { ...USUAL, zone: id, x: MARGIN + (1 + GAP) * at, y: board.height + LABEL }));
  const last = places.at(-1);
  if (!last) return board;
  const width = Math.max(board.width, last.x + 1 + MARGIN), height = board.height + LABEL + 1 + MARGIN;
  return { ...board, width, height, places: [...board.places, ...places] };
}

/** The board that shows the larger cards in so many pixels. */
export function largerBoard(boards: ToldBoards, across: number, down: number): ToldBoard {
  const size = ({ width, height }: ToldBoard) => Math.min(across / (width * CARD_WIDTH), down / (height * CARD_HEIGHT));
  return size(boards.tall) > size(boards.wide) ? boards.tall : boards.wide;
}
