/** The courts of a printed pack, Adrian Kennard's of the public domain (CC0), as one picture of twelve symbols. */

import { readFileSync } from "node:fs";
import { optimize } from "svgo";

const CARDS = [..."JQK"].flatMap((rank) => [..."SHDC"].map((suit) => rank + suit));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const PLUGINS = [{ name: "preset-default", params: { overrides: { cleanupIds: false, mergePaths: false } } }, "removeXlink"];

/** A half's parts, and each of them upright and turned, in the order in which one covers the other. */
function symbolOf(card) {
  const file = new URL(`node_modules/@heruka_urgyen/react-playing-cards/src/images/2color/${card}.svg`, import.meta.url);
  const text = readFileSync(file, "utf8").replaceAll(/(id="|href="#)/g, "$1court-");
  const parts = [...text.matchAll(/<symbol id="court-[SHDC][JQK](\d)"[^>]*>(.*?)<\/symbol>/gs)];
  const suit = text.match(/<symbol id="court-S[SHDC][JQK]".*?<\/symbol>/s)?.[0] ?? "";
  const halves = parts.map(([, number, half]) => {
    const id = `court-${card}-${number}`;
    return `<g id="${id}">${half}</g><use href="#${id}" transform="rotate(180 650 1000)"/>`;
  });
  const { data } = optimize(`${SVG} viewBox="0 0 1300 2000">${suit}${halves.join("")}</svg>`, { floatPrecision: 0, plugins: PLUGINS });
  const inside = data.slice(data.indexOf(">") + 1, data.lastIndexOf("</svg>"));
  return `<symbol id="court-${card}" viewBox="0 0 1300 2000" preserveAspectRatio="none">${inside}</symbol>`;
}

export const COURTS = `<svg xmlns="http://www.w3.org/2000/svg">${CARDS.map(symbolOf).join("")}</svg>\n`;
