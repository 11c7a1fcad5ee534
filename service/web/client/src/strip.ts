/** Cards that light up but show too little of themselves on a small screen to be hit: again, as large buttons. */

import { CARD_HEIGHT, CARD_WIDTH } from "./board.ts";
import type { Place } from "./gestures.ts";
import { buttonNode, htmlNode, svgNode } from "./markup.ts";

const FINGER = 24;

/** The strip for this <svg> as it is lit now, or nothing where every card can be hit. */
export function stripFor(svg: SVGSVGElement, tap: (place: Place) => void): HTMLElement[] {
  const bright = [...svg.querySelectorAll<SVGElement>(".card[data-lit], .card[data-chosen]")];
  if (!bright.some(isCramped)) return [];
  const buttons = bright.map((card) => stripButton(card, tap));
  return [htmlNode("div", { class: "strip", role: "group", "aria-label": "Cards that can be chosen" }, ...buttons)];
}

/** Whether less than a finger's breadth of the card shows beside the one that lies on it. */
function isCramped(card: SVGElement): boolean {
  const own = card.getBoundingClientRect(), next = card.nextElementSibling?.getBoundingClientRect();
  return (next ? Math.max(next.x - own.x, next.y - own.y) : Math.min(own.width, own.height)) < FINGER;
}

function stripButton(card: SVGElement, tap: (place: Place) => void): HTMLElement {
  const { zone = "", index = "0" } = card.dataset, name = { "aria-label": card.getAttribute("aria-label") };
  const pressed = { "aria-pressed": String(card.hasAttribute("data-chosen")), "data-strip": `${zone}/${index}` };
  const button = buttonNode("", () => tap({ zone, index: Number(index) }), { ...name, ...pressed });
  const picture = svgNode("svg", { viewBox: `0 0 ${CARD_WIDTH} ${CARD_HEIGHT}`, "aria-hidden": "true" });
  for (const use of card.querySelectorAll("use")) picture.append(use.cloneNode(true));
  button.append(picture);
  return button;
}
