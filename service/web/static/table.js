/** One table drawn into an <svg> from a view's zones: places, labels and cards, in an order that never changes. */

import { figurePath } from "./figure.js";
import { flightsBetween } from "./flights.js";
import { labelBaselines } from "./labels.js";
import { cardName, symbolOf, zoneName } from "./naming.js";
import { CARD_HEIGHT, CARD_WIDTH, outlineOf, placed } from "./placing.js";

const SVG_SPACE = "http://www.w3.org/2000/svg", NARROW = "(max-width: 40rem)", LARGER = 1.5, MOST_COUNT = 3.4;

/** An SVG element with these attributes; null leaves one out. */
export function svgNode(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG_SPACE, name);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/** Sets attributes; null removes one. */
export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
}

/** A table in this <svg>. `draw(view, {seat, flight})` draws a view, cards gliding for `flight` milliseconds. */
export function tableIn(svg, faces) {
  const zonesLayer = svgNode("g"), flightsLayer = svgNode("g", { class: "flights", "aria-hidden": "true" });
  const lines = svgNode("path", { class: "table-line", fill: "none", "aria-hidden": "true" });
  const plates = svgNode("g", { class: "plates", "aria-hidden": "true" }), narrow = matchMedia(NARROW);
  const table = { svg, faces, lines, plates, narrow, zonesLayer, flightsLayer, zones: new Map(), lit: [new Set(), []] };
  svg.replaceChildren(plates, lines, zonesLayer, flightsLayer);
  narrow.addEventListener("change", () => table.view && drawAgain(table));
  return {
    draw: (view, how = {}) => drawTable(table, view, how),
    light: (bright, touched) => lightTable(table, bright, touched),
    zone: (id) => table.view?.zones.find((zone) => zone.id === id) ?? null,
    placesIn: (id) => [...(table.zones.get(id)?.cards ?? [])],
  };
}

function drawTable(table, view, { seat = null, flight = 0 }) {
  const drawing = placed(view.zones, table.narrow.matches ? LARGER : 1), before = table.drawing;
  Object.assign(table, { view, drawing, seat });
  setAttributes(table.svg, { viewBox: `0 0 ${drawing.width} ${drawing.height}`, role: "group", "aria-label": "Table" });
  setAttributes(table.lines, { d: figurePath(drawing.lines) });
  table.plates.replaceChildren(...drawing.plates.map((plate) => drawPlate(plate, view, seat)));
  keepZones(table, view.zones);
  view.zones.forEach((zone, place) => drawZone(table, zone, drawing.zones[place], view, seat));
  const cards = Map.groupBy(drawing.cards, (card) => card.zone);
  for (const zone of view.zones) drawCards(table, zone, cards.get(zone.id) ?? []);
  table.flightsLayer.replaceChildren();
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (before && flight && !still) flightsBetween(before, drawing).forEach((one) => fly(table, one, flight));
}

/** The same view at another size of type, lit as it was. */
function drawAgain(table) {
  drawTable(table, table.view, { seat: table.seat });
  lightTable(table, ...table.lit);
}

/** What lies on one plate belongs to one seat. */
function drawPlate({ seat: owner, x, y, width, height }, view, seat) {
  const turn = view.to_act.includes(owner) ? "" : null, own = owner === seat ? "" : null;
  return svgNode("rect", { class: "table-plate", x, y, width, height, rx: 12, "data-turn": turn, "data-own": own });
}

/** One group for each zone, in the order of the view. */
function keepZones(table, zones) {
  const ids = zones.map((zone) => zone.id);
  if (ids.join() === [...table.zones.keys()].join()) return;
  table.zones = new Map(ids.map((id) => [id, table.zones.get(id) ?? newZone(id)]));
  table.zonesLayer.replaceChildren(...[...table.zones.values()].map(({ group }) => group));
}

function newZone(id) {
  const place = svgNode("rect", { class: "place", fill: "transparent" });
  const label = svgNode("text", { class: "zone-label table-ink", "aria-hidden": "true" });
  const count = svgNode("text", { class: "zone-count table-count", "aria-hidden": "true", "text-anchor": "middle" });
  const badge = svgNode("rect", { class: "zone-badge table-badge", "aria-hidden": "true" });
  const target = svgNode("g", { class: "zone-place", "data-place": id }, place, svgNode("rect", { class: "ring" }));
  const cards = svgNode("g", { class: "zone-cards" });
  const group = svgNode("g", { class: "zone", "data-zone-id": id }, label, target, cards, badge, count);
  return { group, label, count, badge, target, layer: cards, cards: [] };
}

function drawZone(table, zone, spot, view, seat) {
  const { group, label, count, badge, target } = table.zones.get(zone.id);
  setAttributes(group, {
    "data-layout": zone.layout, "data-owner": zone.owner ?? null, "data-own": isOwn(zone, seat) ? "" : null,
    "data-turn": view.to_act.includes(zone.owner) ? "" : null,
  });
  setAttributes(target, { "aria-label": zoneName(zone, table.faces), "data-empty": spot.count ? null : "" });
  for (const box of target.children) setAttributes(box, outlineOf(spot, table.faces));
  setAttributes(target.firstChild, { class: spot.count ? "place" : "place table-place" });
  drawLabel(label, spot.label);
  const told = spot.count > 1 && isHeap(zone.layout);
  drawCount(badge, count, spot, told, Math.min(table.drawing.scale, MOST_COUNT));
}

/** In the lower left corner; a large one hangs below it. */
function drawCount(badge, count, { x, y, count: cards }, told, scale) {
  const left = x + 4, bottom = y + CARD_HEIGHT + 1 + 10 * (scale - 1), width = 36 * scale, height = 22 * scale;
  const place = { x: left, y: bottom - height, width, height, rx: height / 2 };
  setAttributes(badge, { ...place, visibility: told ? null : "hidden" });
  setAttributes(count, { x: left + width / 2, y: bottom - 5 * scale, "font-size": 17 * scale });
  count.textContent = told ? cards : "";
}

function isOwn(zone, seat) {
  return seat !== null && zone.owner === seat;
}

function isHeap(layout) {
  return !["column", "row", "fan", "score"].includes(layout);
}

function drawLabel(node, label) {
  const baselines = label ? labelBaselines(label) : [];
  const lines = baselines.map((y, line) => svgNode("tspan", { x: label.x, y, "font-size": label.size }, label.lines[line]));
  node.replaceChildren(...lines);
}

/** Cards are kept by their place, so that what has the keyboard's focus stays where it is. */
function drawCards(table, zone, cards) {
  const kept = table.zones.get(zone.id);
  while (kept.cards.length > cards.length) kept.cards.pop().remove();
  while (kept.cards.length < cards.length) {
    kept.cards.push(kept.layer.appendChild(newCard()));
  }
  kept.cards.forEach((node, index) => drawCard(table, zone, node, cards[index]));
}

function newCard() {
  const ring = svgNode("rect", { class: "ring", x: 1, y: 1, rx: 8, width: CARD_WIDTH - 2, height: CARD_HEIGHT - 2 });
  return svgNode("g", { class: "card" }, cardUse("#"), ring);
}

function cardUse(card) {
  return svgNode("use", { href: `#${symbolOf(card)}`, width: CARD_WIDTH, height: CARD_HEIGHT });
}

function drawCard(table, { label }, node, { zone, index, card, x, y, shown }) {
  setAttributes(node, {
    "data-zone": zone, "data-index": index, "data-card": card, transform: `translate(${x} ${y})`, role: "img",
    "aria-label": `${cardName(card, table.faces)}, ${label}`, visibility: shown ? null : "hidden",
    "aria-hidden": shown ? null : "true",
  });
  node.getAnimations().forEach((animation) => animation.cancel());
  setAttributes(node.firstChild, { href: `#${symbolOf(card)}` });
}

/** A copy of the card flies above the table; the card itself shows when it has arrived. */
function fly(table, { card, from, to }, milliseconds) {
  const node = table.zones.get(to.zone).cards[to.index];
  const copy = table.flightsLayer.appendChild(svgNode("g", { class: "flying" }, cardUse(card)));
  const way = [from, to].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
  const how = { duration: milliseconds, easing: "ease-in-out", fill: "both" };
  node.animate([{ opacity: 0 }, { opacity: 0 }], { duration: milliseconds });
  copy.animate(way, how).finished.then(() => copy.remove(), () => copy.remove());
}

/** Marks what can be touched now and what has been: keys `zone/index` and `zone/`; the rest cannot be reached by Tab. */
function lightTable(table, bright, touched) {
  table.lit = [bright, touched];
  for (const [id, { target, cards }] of table.zones) {
    const cardReached = cards.some((card, index) => bright.has(`${id}/${index}`));
    mark(target, `${id}/`, bright, touched, !cardReached);
    cards.forEach((card, index) => mark(card, `${id}/${index}`, bright, touched, true));
  }
}

function mark(node, key, bright, touched, reached) {
  const chosen = touched.includes(key), open = bright.has(key) || chosen;
  setAttributes(node, {
    "data-lit": bright.has(key) ? "" : null, "data-chosen": chosen ? "" : null, role: open ? "button" : "img",
    tabindex: open && reached ? "0" : null, "aria-pressed": open ? String(chosen) : null,
  });
}
