/** Kings, queens and knaves as a printed pack has them, in place of the plain figures: fetched by who chooses them. */

import { svgNode } from "./markup.ts";

const COURT = /^card-([JQK][SHDC])$/;
const PLACE = { x: "23", y: "30.5", width: "54", height: "79" };

function spriteOfCourts(): SVGElement | null {
  return document.querySelector<SVGElement>(".sprite[data-courts]");
}

/** Whether this page's cards are a pack that has courts. */
export function hasCourts(): boolean {
  return spriteOfCourts() !== null;
}

let wanted = false, asked: Promise<boolean> | null = null;

/** Draws the courts as pictures or as plain figures; where the pictures cannot be had, figures stay. */
export async function drawCourts(pictures: boolean): Promise<void> {
  const sprite = spriteOfCourts();
  wanted = pictures;
  if (!sprite || (pictures && !await (asked ??= fetchCourts(sprite)))) return;
  for (const symbol of sprite.querySelectorAll("symbol")) {
    const card = COURT.exec(symbol.id)?.[1];
    if (card) drawCourt(symbol, card, wanted); // who chose may have chosen again meanwhile
  }
}

/** Puts the pictures into the page, once; whether they are there. */
async function fetchCourts(sprite: SVGElement): Promise<boolean> {
  const answer = await fetch(sprite.dataset["courts"] ?? "").catch(() => null);
  if (answer?.ok) sprite.insertAdjacentHTML("beforeend", await answer.text());
  else asked = null;
  return answer?.ok ?? false;
}

function drawCourt(symbol: SVGSymbolElement, card: string, picture: boolean): void {
  symbol.querySelector(".card-picture")?.remove();
  for (const part of symbol.querySelectorAll<SVGElement>(".card-figure, .card-panel, .card-line")) {
    if (picture) part.setAttribute("display", "none");
    else part.removeAttribute("display");
  }
  if (picture) symbol.querySelector(".card-fine")?.append(pictureOf(card));
}

function pictureOf(card: string): SVGElement {
  return svgNode("g", { class: "card-picture" },
    svgNode("rect", { ...PLACE, fill: "#fff" }), svgNode("use", { ...PLACE, href: `#court-${card}` }),
    svgNode("rect", { ...PLACE, fill: "none", stroke: "currentColor", "stroke-width": ".8" }));
}
