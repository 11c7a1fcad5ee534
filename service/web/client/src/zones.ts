/** The nodes of one zone: its label, the outline of its place, its cards, and how many a heap holds. */

import type { Source } from "./api.ts";
import type { Card, Faces, View, Zone } from "./api_types.ts";
import { type Board, CARD_HEIGHT, CARD_WIDTH, type Place } from "./board.ts";
import { noteOf } from "./chips.ts";
import { fittingSize } from "./felt.ts";
import { setAttributes, svgNode } from "./markup.ts";
import { cardName, downName, symbolOf, zoneName } from "./naming.ts";
import { type PlacedCard, cardsOf, spreadCards } from "./placing.ts";

const LABEL_SIZE = 17, LABEL_LARGER = 1.4, COUNT_SIZE = 17, COUNT_LARGER = 1.7, LETTER = 0.55;

/** The nodes of one zone. */
export interface ZoneNodes {
  group: SVGElement;
  label: SVGElement;
  count: SVGElement;
  target: SVGElement;
  layer: SVGElement;
  cards: SVGElement[];
}

/** What is drawn of a view, in type that is so much `larger` than usual where the drawing is shown small; `least` is read. */
export interface Shown {
  view: View;
  board: Board;
  cards: PlacedCard[];
  seat: number | null;
  larger: number;
  least: number;
}

/** The nodes of a zone of which nothing is drawn yet. */
export function newZone(id: string): ZoneNodes {
  const label = svgNode("text", { class: "zone-label table-faint", "aria-hidden": "true" });
  const target = svgNode("g", { class: "zone-place", "data-place": id },
    svgNode("rect", { class: "place", fill: "transparent" }), svgNode("rect", { class: "ring" }),
    svgNode("g", { class: "zone-mark" }));
  const layer = svgNode("g", { class: "zone-cards" });
  const count = svgNode("g", { class: "zone-count", "aria-hidden": "true" },
    svgNode("rect", { class: "table-badge" }), svgNode("text", { class: "table-count", "text-anchor": "middle" }));
  const group = svgNode("g", { class: "zone", "data-zone-id": id }, label, target, layer, count);
  return { group, label, count, target, layer, cards: [] };
}

/** Draws the zone at its place, with these cards. */
export function drawZone(nodes: ZoneNodes, zone: Zone, place: Place, shown: Shown, cards: PlacedCard[], source: Source): void {
  const { view, seat } = shown;
  setAttributes(nodes.group, {
    "data-layout": zone.layout, "data-owner": zone.owner ?? null,
    "data-own": seat !== null && zone.owner === seat ? "" : null, role: place.spread === "pile" ? null : "group",
    "aria-label": place.spread === "pile" ? null : zone.label,
    "data-turn": view.to_act.some((acting) => acting === zone.owner) ? "" : null,
  });
  drawTarget(nodes.target, zone, place, source.faces);
  drawLabel(nodes.label, zone, place, shown);
  drawCount(nodes.count, zone, place, shown);
  drawCards(nodes, cards, spokenCards(zone, place, source.faces));
}

/** A card's name, and whether it is passed over: by name a pile is its top card, and a run face down is one card. */
interface Spoken {
  name: string;
  silent: boolean;
}

function spokenCards(zone: Zone, { spread }: Place, faces: Faces): Spoken[] {
  const cards = cardsOf(zone), last = cards.length - 1, down = zone.face_down ?? 0, pile = spread === "pile";
  return cards.map((card, index) => {
    const silent = pile ? index < last : index < down - 1;
    const words = index === down - 1 ? downName(down) : cardName(card, faces);
    return { silent, name: pile && !silent ? zoneName(zone, faces) : `${words}, ${zone.label}` };
  });
}

function drawTarget(target: SVGElement, zone: Zone, place: Place, faces: Faces): void {
  const cards = cardsOf(zone), empty = cards.length === 0;
  setAttributes(target, {
    "aria-label": zoneName(zone, faces), "data-empty": empty ? "" : null, "data-silent": empty ? null : "", "data-bare": empty && !place.outline ? "" : null,
    transform: transformOf({ x: place.x * CARD_WIDTH, y: place.y * CARD_HEIGHT, scale: place.scale, turn: place.turn }),
  });
  hush(target);
  const far = (spreadCards(place, cards).at(-1) ?? 0) / place.scale, [rect, ring, mark] = target.children;
  const box = outlineOf(place.spread === "right" ? far : 0, place.spread === "down" ? far : 0, faces);
  for (const one of [rect, ring]) if (one) setAttributes(one, box);
  rect?.classList.toggle("table-place", empty && place.outline);
  mark?.replaceChildren(...(empty ? markOf(place.mark) : []));
}

/** The outline of a place that is so much wider and higher than a card; round where every card of the game is. */
function outlineOf(wider: number, higher: number, faces: Faces): Record<string, number> {
  const shapes = Object.values(faces).map(({ shape }) => shape ?? "disc");
  const round = shapes.length > 0 && shapes.every((shape) => shape === "disc");
  if (round) return { x: 5, y: 25, width: 90 + wider, height: 90 + higher, rx: 45 };
  return { x: 1, y: 1, width: CARD_WIDTH - 2 + wider, height: CARD_HEIGHT - 2 + higher, rx: 9 };
}

/** What stands faintly on an empty place: a suit or some letters. */
function markOf(mark: string): SVGElement[] {
  if (["S", "H", "D", "C"].includes(mark)) {
    return [svgNode("use", { href: `#card-suit-${mark}`, transform: "translate(50 70) scale(2.6)" })];
  }
  return mark ? [svgNode("text", { class: "table-mark", x: 50, y: 84, "font-size": 40, "text-anchor": "middle" }, mark)] : [];
}

/** Above the place, up to the next one in its row; type that is too small to read is but a stain. */
function drawLabel(node: SVGElement, zone: Zone, place: Place, { board, larger, least }: Shown): void {
  const beside = board.places.filter(({ x, y, label }) => label && x > place.x && Math.abs(y - place.y) < 1).map(({ x }) => x);
  const room = (Math.min(board.width, ...beside) - place.x - 0.04) * CARD_WIDTH;
  const text = place.title || zone.label;
  const size = fittingSize(text, Math.max(LABEL_SIZE * Math.min(larger, LABEL_LARGER), least), room);
  setAttributes(node, { x: place.x * CARD_WIDTH + 2, y: place.y * CARD_HEIGHT - 6, "font-size": size });
  node.textContent = size >= least && place.label && (place.outline || cardsOf(zone).length) ? text : "";
}

/** The note of a pile at its foot; else how many a heap holds, in the lower left corner or, where it is turned, in the
 * middle of its back. */
function drawCount(node: SVGElement, zone: Zone, place: Place, { view, larger, least }: Shown): void {
  const count = cardsOf(zone).length, seen = place.turn && zone.cards?.length, [badge, label] = node.children;
  const counts = place.spread === "pile" && !place.mark && count > 1 && !seen, smallest = least / place.scale;
  const words = noteOf(place.note, view.facts), room = (CARD_WIDTH + 7) / (LETTER * words.length + 1);
  const note = room < smallest ? noteOf(/\{.*\}/.exec(place.note)?.[0] ?? "", view.facts) : words;
  const text = place.note ? note : counts ? String(count) : "";
  const usual = Math.max(COUNT_SIZE * Math.min(larger, COUNT_LARGER), smallest), size = text === words ? Math.min(usual, room) : usual;
  const width = size * (LETTER * Math.max(text.length, 2) + 0.9), middle = place.turn || place.note ? CARD_WIDTH / 2 : 4 + width / 2;
  const height = size * 1.3, lower = place.turn ? (CARD_HEIGHT + height) / 2 : CARD_HEIGHT - 4;
  setAttributes(node, {
    transform: `translate(${place.x * CARD_WIDTH} ${place.y * CARD_HEIGHT}) scale(${place.scale})`,
    visibility: text ? null : "hidden",
  });
  if (badge) setAttributes(badge, { x: middle - width / 2, y: lower - height, width, height, rx: height / 2 });
  if (label) setAttributes(label, { x: middle, y: lower - size * 0.3, "font-size": size });
  if (label) label.textContent = text;
}

/** Cards are kept by their place, so that what has the keyboard's focus stays where it is. */
function drawCards(kept: ZoneNodes, cards: PlacedCard[], spoken: Spoken[]): void {
  for (const left of kept.cards.splice(cards.length)) left.remove();
  for (const card of cards) {
    const node = kept.cards[card.index] ?? kept.layer.appendChild(newCard());
    kept.cards[card.index] = node;
    drawCard(node, card, spoken[card.index]);
  }
}

function newCard(): SVGElement {
  const ring = svgNode("rect", { class: "ring", x: 1, y: 1, rx: 8, width: CARD_WIDTH - 2, height: CARD_HEIGHT - 2 });
  return svgNode("g", { class: "card" }, cardUse("#"), ring);
}

/** The picture of a card at the corner of its own drawing. */
export function cardUse(card: Card): SVGElement {
  return svgNode("use", { href: `#${symbolOf(card)}`, width: CARD_WIDTH, height: CARD_HEIGHT });
}

function drawCard(node: SVGElement, placed: PlacedCard, { name, silent } = { name: "", silent: true }): void {
  const { zone, index, card, shown } = placed;
  setAttributes(node, {
    "data-zone": zone, "data-index": index, "data-card": card, transform: transformOf(placed), role: "img",
    "aria-label": name, visibility: shown ? null : "hidden", "data-silent": shown && !silent ? null : "",
  });
  hush(node);
  const use = node.querySelector("use"), href = shown ? `#${symbolOf(card)}` : "#"; // what is not seen costs no drawing
  if (use) setAttributes(use, { href });
}

/** What is passed over is out of reach of who listens, unless it can be chosen. */
export function hush(node: SVGElement): void {
  setAttributes(node, { "aria-hidden": node.hasAttribute("data-silent") && !node.hasAttribute("tabindex") ? "true" : null });
}

function transformOf({ x, y, scale, turn }: Pick<PlacedCard, "x" | "y" | "scale" | "turn">): string {
  const sized = scale === 1 ? "" : ` scale(${scale})`;
  return `translate(${x} ${y})${sized}${turn ? ` rotate(${turn} ${CARD_WIDTH / 2} ${CARD_HEIGHT / 2})` : ""}`;
}
