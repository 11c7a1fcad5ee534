/** Taps, drags and keys on a table, as places: `{zone, index}`, index null for the zone itself. */

import { DragGesture } from "@use-gesture/vanilla";

import { type Table, setAttributes, svgNode } from "./table.ts";

const DRAG_FROM = 6;

/** The way of each arrow key: to the right, down. */
export const WAYS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A card of a zone, or (null) the zone itself. */
export interface Place {
  zone: string;
  index: number | null;
}

/** A card where it lies; `card`: which one it was when it was lifted. */
export interface CardPlace extends Place {
  index: number;
  card: string;
}

/** Who listens to gestures. `again`: the tap is the second one of a double tap. */
export interface GestureHeard {
  tap: (place: Place, again: boolean) => void;
  dragged: (from: CardPlace, to: Place, at: Shift) => void;
  lifted: (place: CardPlace | null) => void;
  escape: () => void;
  undo: () => void;
  canLift: (place: CardPlace) => boolean;
}

/** How far something was moved, in units of the drawing. */
export interface Shift {
  x: number;
  y: number;
}

interface Lifted {
  place: CardPlace;
  nodes: SVGElement[];
  layer: SVGElement;
}

interface Gestures {
  svg: SVGSVGElement;
  table: Table;
  heard: GestureHeard;
  lifted: Lifted | null;
  dropped: boolean;
  pressed: { place: Place | null; node: EventTarget | null; x: number; y: number };
}

/** Listens to the <svg> of this table. */
export function listenToTable(svg: SVGSVGElement, table: Table, heard: GestureHeard): void {
  const state: Gestures = { svg, table, heard, lifted: null, dropped: false, pressed: { place: null, node: null, x: 0, y: 0 } };
  svg.addEventListener("click", (event) => tapped(state, event));
  svg.addEventListener("pointerdown", ({ target, clientX, clientY }) => {
    Object.assign(state, { dropped: false, pressed: { place: placeAt(target), node: null, x: clientX, y: clientY } });
  }, { capture: true });
  svg.addEventListener("mousedown", ({ target }) => { state.pressed.node = target; });
  svg.addEventListener("mouseup", (event) => clickAnyway(state, event));
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  svg.addEventListener("keydown", (event) => keyed(state, event));
  document.addEventListener("keydown", (event) => keyedAnywhere(state, event));
  listenToDrags(state);
}

/** Mouse, pen and finger alike; a second finger, or one that the browser takes away, drops nothing anywhere. */
function listenToDrags(state: Gestures): void {
  const config = { threshold: DRAG_FROM, pointer: { capture: false, keys: false } };
  new DragGesture(state.svg, ({ first, last, canceled, event, initial, movement: [x, y], xy, memo }) => {
    const from = first ? cardAt(document.elementFromPoint(...initial)) : memo as CardPlace | null;
    if (first && from && state.heard.canLift(from)) lift(state, from);
    if (state.lifted && !last) shift(state, { x, y });
    if (last && state.lifted) {
      const cancelled = canceled || event.type === "pointercancel";
      drop(state, cancelled ? null : xy, shiftOf(state, { x, y }));
    }
    return from;
  }, config);
}

/** The place that an element of the table belongs to, or null. */
function placeAt(element: EventTarget | null): Place | null {
  if (!(element instanceof Element)) return null;
  const card = element.closest<SVGElement>("[data-zone]"), zone = element.closest<SVGElement>("[data-place]");
  if (card) return { zone: card.dataset["zone"] ?? "", index: Number(card.dataset["index"]) };
  return zone ? { zone: zone.dataset["place"] ?? "", index: null } : null;
}

function cardAt(element: EventTarget | null): CardPlace | null {
  const node = element instanceof Element ? element.closest<SVGElement>("[data-zone]") : null;
  if (!node) return null;
  const { zone = "", index = "", card = "" } = node.dataset;
  return { zone, index: Number(index), card };
}

/** What was pressed may be gone when the button is let go: the table has been drawn anew. No browser makes a click of that. */
function clickAnyway(state: Gestures, event: MouseEvent): void {
  const { node } = state.pressed, { detail, clientX, clientY, button, target } = event;
  if (button !== 0 || !(node instanceof Element) || node.isConnected || !isStill(state, event)) return;
  target?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail, clientX, clientY }));
}

function isStill({ pressed }: Gestures, { clientX, clientY }: MouseEvent): boolean {
  return Math.hypot(clientX - pressed.x, clientY - pressed.y) < DRAG_FROM;
}

/** Every second click at one spot is the second of a double tap; what ends a drag is no click. */
function tapped(state: Gestures, event: MouseEvent): void {
  const place = placeAt(event.target) ?? (event.detail > 0 && isStill(state, event) ? state.pressed.place : null);
  if (!state.dropped && place !== null) state.heard.tap(place, event.detail > 0 && event.detail % 2 === 0);
}

function keyed(state: Gestures, event: KeyboardEvent): void {
  const place = placeAt(event.target), way = WAYS[event.key];
  if (way && place && !event.altKey && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    event.stopPropagation();
    walk(state.svg, event.target as Element, way);
  } else if (place !== null && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    event.stopPropagation();
    state.heard.tap(place, (event.target as Element).hasAttribute("data-chosen"));
  }
}

/** Escape, Ctrl+Z; and Enter, ↑ and ↓, while nothing has the focus, are the way into the table. */
function keyedAnywhere(state: Gestures, event: KeyboardEvent): void {
  const { svg, heard } = state;
  if (event.key === "Escape" && state.lifted) drop(state, null, { x: 0, y: 0 });
  else if (event.key === "Escape") heard.escape();
  if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog")) return;
  if (event.key.toLowerCase() === "z" && !event.shiftKey && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    heard.undo();
  }
  const into = ["Enter", "ArrowUp", "ArrowDown"].includes(event.key) && [document.body, svg].includes(document.activeElement as HTMLElement);
  const first = into ? svg.querySelector<SVGElement>("[tabindex='0']") : null;
  if (!first) return;
  event.preventDefault();
  first.focus();
}

/** The focus goes to the nearest place that way which can be chosen. */
function walk(svg: SVGSVGElement, from: Element, [right, down]: [number, number]): void {
  const here = middleOf(from);
  const ways = [...svg.querySelectorAll<SVGElement>("[tabindex='0']")].filter((node) => node !== from).map((node) => {
    const there = middleOf(node), x = there.x - here.x, y = there.y - here.y;
    const along = x * right + y * down, across = Math.abs(x * down) + Math.abs(y * right);
    return { node, along, far: along + 2 * across };
  });
  const ahead = ways.filter(({ along }) => along > 4).toSorted((one, other) => one.far - other.far);
  ahead[0]?.node.focus();
}

function middleOf(node: Element): Shift {
  const { x, y, width, height } = node.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/** The card itself is lifted, in a column with all that lies on it: above everything else, until it is dropped. */
function lift(state: Gestures, place: CardPlace): void {
  const { svg, table } = state, column = table.zone(place.zone)?.layout === "column";
  const nodes = table.placesIn(place.zone).slice(place.index, column ? undefined : place.index + 1);
  const layer = svg.appendChild(svgNode("g", { class: "dragged", "aria-hidden": "true" }));
  // A picture of the card goes with the pointer, and the card's own place is left empty: it keeps the focus.
  layer.append(...nodes.map((node) => {
    const picture = node.cloneNode(true) as SVGElement;
    setAttributes(picture, { tabindex: null, "data-zone": null, "data-card": null, class: "card" });
    return picture;
  }));
  nodes.forEach((node) => node.classList.add("lifted"));
  svg.classList.add("holding"); // what is held may leave the board
  state.lifted = { place, nodes, layer };
  state.heard.lifted(place);
}

function shift(state: Gestures, far: Shift): void {
  const { x, y } = shiftOf(state, far);
  if (state.lifted) setAttributes(state.lifted.layer, { transform: `translate(${x} ${y})` });
}

/** Pixels of the screen as units of the drawing. */
function shiftOf({ svg }: Gestures, { x, y }: Shift): Shift {
  const scale = 1 / (svg.getScreenCTM()?.a || 1);
  return { x: x * scale, y: y * scale };
}

/** Dropped where the pointer is, or else where the middle of the card is; `at` null: nowhere. */
function drop(state: Gestures, at: [number, number] | null, far: Shift): void {
  const { lifted } = state;
  if (!lifted) return;
  const middle = middleOf(lifted.layer.firstElementChild ?? lifted.layer);
  lifted.layer.remove();
  state.svg.classList.remove("holding");
  lifted.nodes.forEach((node) => node.classList.remove("lifted"));
  Object.assign(state, { lifted: null, dropped: true });
  state.heard.lifted(null);
  const where = at && (placeAt(document.elementFromPoint(...at)) ?? placeAt(document.elementFromPoint(middle.x, middle.y)));
  if (where && where.zone !== lifted.place.zone) state.heard.dragged(lifted.place, where, far);
}
