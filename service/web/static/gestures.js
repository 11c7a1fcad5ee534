/** Taps, double taps, drags and keys on a table, as places: `{zone, index}`, index null for the zone itself. */

import { setAttributes, svgNode } from "./table.js";

const DRAG_FROM = 6;

/** Listens to the <svg>; `heard` has tap(place), twice(place), dragged(from, to), escape(), and `canDrag(place)`. */
export function listenToTable(svg, table, heard) {
  const state = { svg, table, heard, drag: null, dropped: false };
  svg.addEventListener("click", (event) => clicked(state, event));
  svg.addEventListener("pointerdown", (event) => pressed(state, event));
  svg.addEventListener("pointermove", (event) => moved(state, event));
  svg.addEventListener("pointerup", (event) => released(state, event));
  svg.addEventListener("pointercancel", () => dropNothing(state));
  svg.addEventListener("keydown", (event) => keyed(state, event));
  document.addEventListener("keydown", (event) => event.key === "Escape" && heard.escape());
}

/** The place that an element of the table belongs to, or null. */
function placeAt(element) {
  const card = element?.closest?.("[data-zone]"), zone = element?.closest?.("[data-place]");
  if (card) return { zone: card.dataset.zone, index: Number(card.dataset.index) };
  return zone ? { zone: zone.dataset.place, index: null } : null;
}

/** A second click at the same spot is a double tap, never a second tap. */
function clicked(state, event) {
  const place = placeAt(event.target);
  if (state.dropped || place === null || event.detail > 2) return;
  if (event.detail === 2) state.heard.twice(place);
  else state.heard.tap(place);
}

function keyed(state, event) {
  const place = placeAt(event.target);
  if (place === null || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  if (event.target.hasAttribute("data-chosen")) state.heard.twice(place);
  else state.heard.tap(place);
}

function pressed(state, event) {
  const place = placeAt(event.target);
  state.dropped = false;
  if (event.button !== 0 || place?.index == null || !state.heard.canDrag(place)) return;
  state.drag = { place, x: event.clientX, y: event.clientY, copy: null, pointer: event.pointerId };
}

function moved(state, event) {
  const { drag } = state;
  if (!drag || drag.pointer !== event.pointerId) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.copy && Math.hypot(x, y) < DRAG_FROM) return;
  drag.copy ??= lift(state, event);
  const scale = state.svg.viewBox.baseVal.width / state.svg.getBoundingClientRect().width;
  setAttributes(drag.copy, { transform: `translate(${x * scale} ${y * scale})` });
}

/** A copy of what is dragged: the card, in a column with all that lies on it. */
function lift(state, event) {
  const { zone, index } = state.drag.place, nodes = state.table.placesIn(zone);
  const column = state.table.zone(zone).layout === "column";
  const copies = nodes.slice(index, column ? undefined : index + 1).map((node) => node.cloneNode(true));
  const copy = svgNode("g", { class: "dragged", "aria-hidden": "true" }, ...copies);
  copies.forEach((one) => setAttributes(one, { tabindex: null, "data-zone": null, "data-card": null, class: "card" }));
  state.svg.setPointerCapture(event.pointerId);
  return state.svg.appendChild(copy);
}

/** Dropped where the pointer is, or else where the middle of the card is. */
function released(state, event) {
  const { drag } = state;
  dropNothing(state);
  if (!drag?.copy) return;
  state.dropped = true;
  const where = placeAt(document.elementFromPoint(event.clientX, event.clientY)) ?? placeUnder(state, drag, event);
  if (where && where.zone !== drag.place.zone) state.heard.dragged(drag.place, where);
}

function placeUnder(state, drag, event) {
  const node = state.table.placesIn(drag.place.zone)[drag.place.index].getBoundingClientRect();
  const [x, y] = [node.x + node.width / 2 + event.clientX - drag.x, node.y + node.height / 2 + event.clientY - drag.y];
  return placeAt(document.elementFromPoint(x, y));
}

function dropNothing(state) {
  state.drag?.copy?.remove();
  state.drag = null;
}
