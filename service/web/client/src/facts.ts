/** A game's facts as lists: nested ones in lists of their own, one of several in a line; boards are drawn elsewhere. */

import type { Faces } from "./api_types.ts";
import { isDrawn, shortFacts } from "./boards.ts";
import { htmlNode } from "./markup.ts";
import { isCellList, plainWords, valueName } from "./naming.ts";

/** The facts as a <dl>, or nothing if there are none; what is empty or drawn is left out. */
export function factList(facts: object | undefined, faces: Faces): HTMLElement {
  const pairs = Object.entries(facts ?? {}).filter(([name, value]) => name !== "type" && told(value));
  return htmlNode("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => [
    htmlNode("dt", {}, plainWords(name)), htmlNode("dd", {}, factNode(value, faces)),
  ]));
}

function told(value: unknown): boolean {
  return value !== null && value !== "" && !(Array.isArray(value) && value.length === 0) && !isDrawn(value);
}

function factNode(value: unknown, faces: Faces): Node | string {
  if (isCellList(value)) return factText(value, faces);
  if (Array.isArray(value) && value.some(isStructure)) {
    return htmlNode("ol", {}, ...value.map((one) => htmlNode("li", {}, partNode(one, faces))));
  }
  if (Array.isArray(value)) return value.map((one) => factText(one, faces)).join(", ");
  return isStructure(value) ? factList(value, faces) : factText(value, faces);
}

/** One of several: a line, or a list where it has parts itself. */
function partNode(part: unknown, faces: Faces): Node | string {
  const flat = isStructure(part) && !Array.isArray(part) && !Object.values(part).some(isStructure);
  return flat ? shortFacts(Object.entries(part), faces) : factNode(part, faces);
}

function isStructure(value: unknown): value is object {
  return value !== null && typeof value === "object" && !(Array.isArray(value) && !value.some(isStructure));
}

function factText(value: unknown, faces: Faces): string {
  if (value === true || value === false) return value ? "yes" : "no";
  return value === null ? "none" : valueName(value, {}, faces);
}
