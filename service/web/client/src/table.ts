/** One table drawn into an <svg>: a view's zones on a board of fixed size, in an order that never changes. */

import type { Source } from "./api.ts";
import type { View, Zone } from "./api_types.ts";
import { CARD_HEIGHT, CARD_WIDTH, type Place, type ToldBoard, completeBoard, largerBoard, seatBoard } from "./board.ts";
import { feltOf } from "./felt.ts";
import { type Flight, flightsBetween } from "./flights.ts";
import { setAttributes, svgNode } from "./markup.ts";
import { type PlacedCard, placeCards } from "./placing.ts";
import { type Trace, traceNode } from "./traces.ts";
import { type Shown, type ZoneNodes, cardUse, drawZone, hush, newZone } from "./zones.ts";

export { setAttributes, svgNode } from "./markup.ts";

const READABLE = 0.75, LEAST_PIXELS = 11;
/** Of the rank in the corner of a card with pips; where it would be smaller than letters may be, cards are in large print. */
const RANK_HEIGHT = 21;

/** How a view is drawn: from which seat, and how many milliseconds cards glide. */
export interface Manner {
  seat?: number | null;
  flight?: number;
}

/** A table: `light` marks the places (`zone/index`, `zone/`) that can be touched now and those that were; `trace` draws
 * moves over it, until it is drawn anew. */
export interface Table {
  draw: (view: View, how?: Manner) => void;
  light: (bright: Set<string>, touched: string[]) => void;
  trace: (moves: Trace[]) => void;
  zone: (id: string) => Zone | null;
  placesIn: (id: string) => SVGElement[];
}

/** The picture of a card on its way. */
interface InFlight {
  copy: SVGElement;
  to: PlacedCard;
}

interface TableState {
  flights: InFlight[];
  svg: SVGSVGElement;
  source: Source;
  felt: SVGElement;
  zonesLayer: SVGElement;
  flightsLayer: SVGElement;
  tracesLayer: SVGElement;
  traces: Trace[];
  zones: Map<string, ZoneNodes>;
  lit: [Set<string>, string[]];
  shown: Shown | null;
  fit: Fit;
}

/** The board that fits the room there is, how much larger type must be to be read there, and the `least` that is read. */
interface Fit {
  board: ToldBoard;
  larger: number;
  least: number;
}

/** A table in this <svg>. */
export function tableIn(svg: SVGSVGElement, source: Source): Table {
  const zonesLayer = svgNode("g"), flightsLayer = svgNode("g", { class: "flights", "aria-hidden": "true" });
  const felt = svgNode("g", { class: "felt", "aria-hidden": "true" });
  const tracesLayer = svgNode("g", { class: "traces" });
  const table: TableState = {
    svg, source, felt, zonesLayer, flightsLayer, tracesLayer, traces: [], flights: [], zones: new Map(), lit: [new Set(), []], shown: null,
    fit: { board: source.boards.wide, larger: 1, least: 0 },
  };
  svg.replaceChildren(felt, zonesLayer, tracesLayer, flightsLayer);
  new ResizeObserver(() => drawAgain(table)).observe(svg);
  return {
    draw: (view, how = {}) => drawTable(table, view, how),
    light: (bright, touched) => lightTable(table, bright, touched),
    trace: (moves) => traceOn(table, moves),
    zone: (id) => table.shown?.view.zones.find((zone) => zone.id === id) ?? null,
    placesIn: (id) => [...(table.zones.get(id)?.cards ?? [])],
  };
}

/** The fit for the size that the <svg> has in the page. */
function fitOf({ svg, source }: TableState): Fit {
  const { width, height } = svg.getBoundingClientRect(), board = largerBoard(source.boards, width, height);
  const scale = Math.min(width / (board.width * CARD_WIDTH), height / (board.height * CARD_HEIGHT));
  if (scale <= 0) return { board, larger: 1, least: 0 };
  return { board, larger: Math.max(1, Math.round(READABLE / scale * 20) / 20), least: Math.ceil(LEAST_PIXELS / scale * 4) / 4 };
}

function drawTable(table: TableState, view: View, { seat = null, flight = 0 }: Manner): void {
  const { svg, source, shown: before } = table, { seats } = source.game, { board: told, larger, least } = table.fit = fitOf(table);
  const board = completeBoard(seatBoard(told, seat, typeof seats === "number" ? seats : seats.length), view.zones);
  const shown = table.shown = { view, board, cards: placeCards(board, view.zones), seat, larger, least };
  const size = `0 0 ${board.width * CARD_WIDTH} ${board.height * CARD_HEIGHT}`;
  document.documentElement.classList.toggle("large-print", least > RANK_HEIGHT);
  const middle = svg.clientWidth > svg.clientHeight ? "xMidYMid" : "xMidYMin";
  setAttributes(svg, { viewBox: size, preserveAspectRatio: middle, role: "group", "aria-label": "Board", tabindex: "-1" });
  table.felt.replaceChildren(...feltOf(board, view, source, least));
  drawZones(table, shown);
  traceOn(table, []);
  for (const one of table.flights.splice(0)) if (isStillTrue(one, shown)) table.flights.push(one); else land(table, one);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (before && flight && !still) flightsBetween(before, shown).forEach((one) => fly(table, one, flight));
}

/** Whether a card that is on its way still ends there: what was foreseen has come true. */
function isStillTrue({ to }: InFlight, { cards }: Shown): boolean {
  return cards.some(({ zone, index, card, x, y }) => (
    zone === to.zone && index === to.index && card === to.card && x === to.x && y === to.y));
}

/** The card itself shows, and its picture is gone. */
function land({ flights, zones }: TableState, flight: InFlight): void {
  flight.copy.remove();
  zones.get(flight.to.zone)?.cards[flight.to.index]?.classList.remove("away");
  if (flights.includes(flight)) flights.splice(flights.indexOf(flight), 1);
}

function drawZones(table: TableState, shown: Shown): void {
  const zones = new Map(shown.view.zones.map((zone) => [zone.id, zone]));
  const cards = Map.groupBy(shown.cards, (card) => card.zone);
  const places = shown.board.places.filter(({ zone }) => zones.has(zone));
  keepZones(table, places);
  for (const place of places) {
    const nodes = table.zones.get(place.zone), zone = zones.get(place.zone);
    if (nodes && zone) drawZone(nodes, zone, place, shown, cards.get(place.zone) ?? [], table.source);
  }
}

/** The <svg> has another size: the same view on the board that fits now, lit as it was. */
function drawAgain(table: TableState): void {
  const { board, larger, least } = fitOf(table), { shown, fit } = table;
  if (!shown || (board === fit.board && larger === fit.larger && least === fit.least)) return;
  const { traces } = table;
  drawTable(table, shown.view, { seat: shown.seat });
  traceOn(table, traces);
  lightTable(table, ...table.lit);
}

function traceOn(table: TableState, moves: Trace[]): void {
  const { shown, tracesLayer } = table;
  table.traces = moves;
  tracesLayer.replaceChildren(...(shown ? moves.map((move) => traceNode(move, shown.board)) : []));
}

/** One group for each zone, in the order of the board. */
function keepZones(table: TableState, places: Place[]): void {
  const ids = places.map(({ zone }) => zone);
  if (ids.join() === [...table.zones.keys()].join()) return;
  table.zones = new Map(ids.map((id) => [id, table.zones.get(id) ?? newZone(id)]));
  table.zonesLayer.replaceChildren(...[...table.zones.values()].map(({ group }) => group));
}

/** A copy of the card flies above the table; the card itself shows when it has arrived. */
function fly(table: TableState, { card, from, to }: Flight, milliseconds: number): void {
  const node = table.zones.get(to.zone)?.cards[to.index];
  const copy = table.flightsLayer.appendChild(svgNode("g", { class: "flying" }, cardUse(card)));
  const [x, y] = [CARD_WIDTH / 2, CARD_HEIGHT / 2];
  const lying = `scale(${to.scale}) translate(${x}px, ${y}px) rotate(${to.turn}deg) translate(${-x}px, ${-y}px)`;
  const way = [from, to].map((end) => ({ transform: `translate(${end.x}px, ${end.y}px) ${lying}` }));
  const how: KeyframeAnimationOptions = { duration: milliseconds, easing: "ease-in-out", fill: "both" };
  const flight: InFlight = { copy, to };
  table.flights.push(flight);
  node?.classList.add("away");
  const landed = () => land(table, flight);
  copy.animate(way, how).finished.then(landed, landed);
}

/** Marks what can be touched now and what has been: keys `zone/index` and `zone/`; the rest cannot be reached by Tab. */
function lightTable(table: TableState, bright: Set<string>, touched: string[]): void {
  table.lit = [bright, touched];
  for (const [id, { target, cards }] of table.zones) {
    const cardReached = cards.some((_, index) => bright.has(`${id}/${index}`));
    mark(target, `${id}/`, bright, touched, !cardReached);
    cards.forEach((card, index) => mark(card, `${id}/${index}`, bright, touched, true));
  }
}

function mark(node: SVGElement, key: string, bright: Set<string>, touched: string[], reached: boolean): void {
  const chosen = touched.includes(key), open = bright.has(key) || chosen;
  setAttributes(node, {
    "data-lit": bright.has(key) ? "" : null, "data-chosen": chosen ? "" : null, role: open ? "button" : "img",
    tabindex: open && reached ? "0" : null, "aria-pressed": open ? String(chosen) : null,
  });
  hush(node);
}
