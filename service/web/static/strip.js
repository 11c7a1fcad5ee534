/** Cards that light up but show too little of themselves on a small screen to be hit: again, as large buttons. */

import { buttonNode, htmlNode } from "./markup.js";
import { CARD_HEIGHT, CARD_WIDTH } from "./placing.js";
import { svgNode } from "./table.js";

const FINGER = 24;

/** The strip for this <svg> as it is lit now, or nothing where every card can be hit. */
export function stripFor(svg, tap) {
  const bright = [...svg.querySelectorAll(".card[data-lit], .card[data-chosen]")];
  if (!bright.some(isCramped)) return [];
  const buttons = bright.map((card) => stripButton(card, tap));
  return [htmlNode("div", { class: "strip", role: "group", "aria-label": "Cards that can be chosen" }, ...buttons)];
}

/** Whether less than a finger's breadth of the card shows beside the one that lies on it. */
function isCramped(card) {
  const own = card.getBoundingClientRect(), next = card.nextElementSibling?.getBoundingClientRect();
  return (next ? Math.max(next.x - own.x, next.y - own.y) : Math.min(own.width, own.height)) < FINGER;
}

function stripButton(card, tap) {
  const { zone, index } = card.dataset, name = { "aria-label": card.getAttribute("aria-label") };
  const pressed = { "aria-pressed": String(card.hasAttribute("data-chosen")), "data-strip": `${zone}/${index}` };
  const button = buttonNode("", () => tap({ zone, index: Number(index) }), { ...name, ...pressed });
  const picture = svgNode("svg", { viewBox: `0 0 ${CARD_WIDTH} ${CARD_HEIGHT}`, "aria-hidden": "true" });
  picture.append(card.querySelector("use").cloneNode(true));
  button.append(picture);
  return button;
}
