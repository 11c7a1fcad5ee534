/** Where everything lies in a drawing of zones: `service/pictures/svg/placing.py` says the same, number for number. */

import { figureLines } from "./figure.js";
import { LABEL_BAND, labelsOf, movedLabel, scaleOf } from "./labels.js";
import { platesOf } from "./plates.js";
import { rowMoves } from "./rows.js";

export const CARD_WIDTH = 100, CARD_HEIGHT = 140;
const MARGIN = 20, STEP_DOWN = 17, STEP_UP = 32, STEP_LEAST = 6, TABLE_WIDTH = 1000, APART = 8, TOP_CARDS = 2;
const STEPS_RIGHT = { row: 108, score: 108, fan: 46 };

/** The drawing of these zones: {width, height, zones: [{zone, x, y, width, height, count, label}], cards: [...], lines,
 * plates, scale}; type is `larger` than elsewhere where the drawing is shown small. */
export function placed(zones, larger = 1) {
  const spots = zones.map((zone) => ({
    zone, x: zone.x * CARD_WIDTH, y: zone.y * CARD_HEIGHT, width: CARD_WIDTH, height: CARD_HEIGHT,
    reach: CARD_HEIGHT, offsets: [], cards: cardsOf(zone),
  }));
  spots.forEach((spot) => layRight(spot, spots));
  spots.forEach((spot) => { spot.reach = reachOf(spot, spots, spots.map(() => LABEL_BAND)); });
  const scale = larger * scaleOf(spots, tableEdge(spots)), labels = labelsOf(spots, tableEdge(spots), scale);
  moveRows(spots, labels);
  spots.forEach((spot) => layDown(spot, spots, labels));
  return gathered(spots, labels, scale);
}

/** A zone's cards bottom to top, what lies face down as `#`. */
export function cardsOf(zone) {
  return [...Array(zone.face_down ?? 0).fill("#"), ...(zone.cards ?? [])];
}

/** The outline of a place as attributes of a <rect>; round where every card of the game is. */
export function outlineOf({ x, y, width, height }, faces = {}) {
  const shapes = Object.values(faces).map(({ shape }) => shape ?? "disc");
  if (!shapes.length || shapes.some((shape) => shape !== "disc")) return { x, y, width, height, rx: 9 };
  return { x: x + 5, y: y + 25, width: width - 10, height: height - 50, rx: 45 };
}

/** To 0.01, halves up: the same in every language that has doubles. */
export function rounded(number) {
  return Math.floor(number * 100 + 0.5) / 100;
}

/** A row or a fan runs up to the zone on its right, or to the edge of the table. */
function layRight(spot, spots) {
  const step = STEPS_RIGHT[spot.zone.layout];
  if (step === undefined) return;
  const beside = spots.filter((other) => other.x > spot.x && Math.abs(other.y - spot.y) < CARD_HEIGHT);
  const end = beside.length ? Math.min(...beside.map((other) => other.x - APART)) : tableEdge(spots);
  spot.offsets = offsetsOf(Array(Math.max(spot.cards.length - 1, 0)).fill(step), end - spot.x - CARD_WIDTH);
  spot.width = CARD_WIDTH + spot.offsets.at(-1);
}

/** Rows go down where labels need it; the labels go with them. */
function moveRows(spots, labels) {
  rowMoves(spots, labels).forEach((far, place) => {
    spots[place].y += far;
    if (labels[place]) labels[place].y += far;
  });
}

/** A column may come down to what is above the zone below it. */
function reachOf(spot, spots, bands) {
  if (spot.zone.layout !== "column") return CARD_HEIGHT;
  const ends = spots.flatMap((other, place) => (
    other.y > spot.y && beneath(spot, other) ? [other.y - bands[place]] : []));
  return Math.min(Infinity, ...ends) - spot.y;
}

/** A column runs down to the label of the zone below it. */
function layDown(spot, spots, labels) {
  if (spot.zone.layout !== "column") return;
  const bands = labels.map((label) => (label === null ? LABEL_BAND : Math.max(LABEL_BAND, label.height)));
  const steps = spot.cards.slice(0, -1).map((card) => (card === "#" ? STEP_DOWN : STEP_UP));
  spot.offsets = offsetsOf(steps, reachOf(spot, spots, bands) - CARD_HEIGHT);
  spot.height = CARD_HEIGHT + spot.offsets.at(-1);
}

function beneath(spot, other) {
  return other.x < spot.x + CARD_WIDTH && spot.x < other.x + other.width;
}

/** The right edge of the table. */
function tableEdge(spots) {
  return Math.max(TABLE_WIDTH, ...spots.map((spot) => spot.zone.x * CARD_WIDTH + CARD_WIDTH));
}

/** The sums of the steps, from 0 on; all shrink by one factor where they do not fit, none below the least. */
function offsetsOf(steps, room) {
  const total = steps.reduce((sum, step) => sum + step, 0);
  const factor = total > room ? room / total : 1;
  const offsets = [0];
  for (const step of steps) offsets.push(offsets.at(-1) + Math.max(step * factor, STEP_LEAST));
  return offsets;
}

/** Moved so that everything drawn has the margin around it. */
function gathered(spots, labels, scale) {
  const heads = spots.map((spot, place) => spot.y - (labels[place]?.height ?? 0));
  const left = (spots.length ? Math.min(...spots.map((spot) => spot.x)) : 0) - MARGIN;
  const top = (heads.length ? Math.min(...heads) : 0) - MARGIN;
  const right = spots.length ? Math.max(...spots.map((spot) => spot.x + spot.width)) : 0;
  const bottom = spots.length ? Math.max(...spots.map((spot) => spot.y + spot.height)) : 0;
  const ends = labels.filter((label) => label !== null).map((label) => label.x + label.width);
  return {
    width: rounded(Math.max(right, ...ends) - left + MARGIN),
    height: rounded(bottom - top + MARGIN),
    zones: spots.map((spot, place) => placedZone(spot, labels[place], left, top)),
    cards: spots.flatMap((spot) => placedCards(spot, left, top)),
    lines: figureLines(spots.filter((spot) => spot.zone.layout === "ring").map((spot) => middleOf(spot, left, top))),
    plates: platesOf(spots, labels).map((plate) => movedPlate(plate, left, top)),
    scale: rounded(scale),
  };
}

function placedZone(spot, label, left, top) {
  return {
    zone: spot.zone.id, x: rounded(spot.x - left), y: rounded(spot.y - top),
    width: rounded(spot.width), height: rounded(spot.height), count: spot.cards.length,
    label: label === null ? null : movedLabel(label, left, top),
  };
}

function movedPlate({ seat, x, y, width, height }, left, top) {
  return { seat, x: rounded(x - left), y: rounded(y - top), width: rounded(width), height: rounded(height) };
}

function middleOf(spot, left, top) {
  return [rounded(spot.x - left + CARD_WIDTH / 2), rounded(spot.y - top + CARD_HEIGHT / 2)];
}

function placedCards(spot, left, top) {
  const x = spot.x - left, y = spot.y - top, down = spot.zone.layout === "column";
  return spot.cards.map((card, index) => {
    const offset = spot.offsets[index] ?? 0;
    return {
      zone: spot.zone.id, index, card, x: rounded(x + (down ? 0 : offset)), y: rounded(y + (down ? offset : 0)),
      shown: spot.offsets.length > 0 || index >= spot.cards.length - TOP_CARDS,
    };
  });
}
