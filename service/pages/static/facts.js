/** A game's facts as lists: nested ones in lists of their own, boards as they are written. */

import { htmlNode } from "./markup.js";
import { plainWords, valueName } from "./naming.js";

/** The facts as a <dl>, or nothing if there are none; what is empty is left out. */
export function factList(facts, faces) {
  const pairs = Object.entries(facts ?? {}).filter(([name, value]) => name !== "type" && told(value));
  return htmlNode("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => [
    htmlNode("dt", {}, plainWords(name)), htmlNode("dd", {}, factNode(value, faces)),
  ]));
}

function told(value) {
  return value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function factNode(value, faces) {
  if (isBoard(value)) return htmlNode("pre", { class: "board" }, value.join("\n"));
  if (Array.isArray(value) && value.some(isStructure)) {
    return htmlNode("ol", { start: "0" }, ...value.map((one) => htmlNode("li", {}, factNode(one, faces))));
  }
  if (Array.isArray(value)) return value.map((one) => factText(one, faces)).join(", ");
  return isStructure(value) ? factList(value, faces) : factText(value, faces);
}

/** Rows of one length, without spaces, not all of them letters and digits: `service/pictures/facts.py` says the same. */
function isBoard(value) {
  const rows = Array.isArray(value) && value.length > 2 && value.every((row) => typeof row === "string");
  if (!rows || value[0].length < 3 || value.some((row) => row.length !== value[0].length)) return false;
  return !value.join("").includes(" ") && /[^A-Za-z0-9]/.test(value.join(""));
}

function isStructure(value) {
  return value !== null && typeof value === "object" && !(Array.isArray(value) && !value.some(isStructure));
}

function factText(value, faces) {
  if (value === true || value === false) return value ? "yes" : "no";
  return value === null ? "none" : valueName(value, {}, faces);
}
