/** The end of a game that was played here: what it came to, what may follow, and cards that leap. */

import { type ApiSource, ask } from "./api.ts";
import type { Card, PlayerBoards, Result } from "./api_types.ts";
import { isAmongPeople, openRematch } from "./company.ts";
import { type Terms, copyDealLink, openDeal } from "./deals.ts";
import { buttonNode, htmlNode, svgNode } from "./markup.ts";
import { resultLine } from "./outcome.ts";
import type { Plate } from "./plate.ts";
import { type Player, goTo, seatOf } from "./player.ts";
import { cardUse } from "./zones.ts";

const LEAPERS = 40, LEAP_TIME = 1800, POINTS = 24;

/** Watches for the end of a game that goes on; `ended` hears whether it was won from here. */
export function watchForEnd(
  player: Player, source: ApiSource, plate: Plate, terms: Terms, ended: (won: boolean) => void,
): void {
  const node = htmlNode("section", { class: "ending", "aria-labelledby": "ending", hidden: true });
  player.svg.after(node);
  let playing = player.frame?.status === "playing";
  player.listeners.push(() => {
    const result = player.frame?.result ?? null;
    if (playing && result && player.following) {
      playing = false;
      const won = isWon(result, seatOf(player.viewer));
      node.replaceChildren(...endingParts(player, source, plate, terms));
      node.hidden = false;
      const here = document.activeElement, lost = [player.svg, player.panel].some((part) => part.contains(here));
      if (lost || here === document.body) node.querySelector("h2")?.focus({ preventScroll: true });
      if (won) leap(player.svg);
      else queueMicrotask(() => { askWhy(node); }); // the question stands once all have heard of the end
      ended(won);
    } else if (!result) {
      playing = player.frame?.status === "playing";
      node.hidden = true;
    }
  });
}

/** The question of the analysis beside what one does next: who has lost asks why. */
function askWhy(node: HTMLElement): void {
  const question = document.querySelector<HTMLElement>("[data-do='analyse']"), region = question?.closest(".analysis");
  if (!question || !region) return;
  node.querySelector(".ending-buttons")?.append(buttonNode(question.textContent, () => {
    node.hidden = true;
    question.click();
    region.scrollIntoView({ block: "center" });
  }));
}

function isWon({ ending, winners = [] }: Result, seat: number | null): boolean {
  return ending === "won" && (winners.length === 0 || (seat !== null && winners.includes(seat)));
}

function endingParts(player: Player, source: ApiSource, plate: Plate, terms: Terms): HTMLElement[] {
  const { id, visibility } = source.game, node = player.svg.nextElementSibling as HTMLElement;
  const line = resultLine(player.frame, source.game), streak = htmlNode("p", { class: "streak" });
  void tellStreak(source, terms, streak);
  const revealed = !terms.withheld, open = visibility !== "private";
  const again = () => (isAmongPeople(source) ? openRematch(source).catch((failure: Error) => player.tell(failure.message)) : openDeal(source, terms, false));
  const rest = [
    ...(revealed ? [buttonNode("Same deal", () => openDeal(source, terms, true))] : []),
    ...(revealed && open ? [buttonNode("Same deal for a friend", () => void copyDealLink(player, id))] : []),
    ...(open ? [buttonNode("Share a picture", () => void sharePicture(`/games/${id}/steps/${player.steps - 1}.png`, line))] : []),
    buttonNode("Watch from the deal", () => void goTo(player, 0)),
  ];
  return [
    htmlNode("h2", { id: "ending", tabindex: "-1" }, line), htmlNode("p", {}, plate.words()), streak,
    htmlNode("div", { class: "ending-buttons" }, buttonNode("Play again", () => void again(), { class: "say" }),
      buttonNode("Close", () => { node.hidden = true; })),
    htmlNode("details", {}, htmlNode("summary", {}, "More"), htmlNode("div", { class: "ending-buttons" }, ...rest)),
  ];
}

/** The picture of the last step goes where the device sends things, or into the downloads. */
async function sharePicture(path: string, text: string): Promise<void> {
  const picture = await fetch(path).then((answer) => answer.blob()), file = new File([picture], "kibitz.png", { type: "image/png" });
  const things = { files: [file], text };
  if ("canShare" in navigator && navigator.canShare(things)) await navigator.share(things).catch(() => undefined);
  else htmlNode("a", { href: path, download: "kibitz.png" }).click();
}

/** How many in a row, of a game that counts. */
async function tellStreak(source: ApiSource, { visitor }: Terms, node: HTMLElement): Promise<void> {
  const { rated, game_type: type, seats } = source.game;
  if (!rated || !seats.some(({ player }) => player?.id === visitor)) return;
  const found = await ask<PlayerBoards>("GET", `/v1/players/${visitor}/scores`).catch(() => null);
  const streak = found?.data.rows.find((row) => row.game_type === type)?.streak ?? 0;
  if (streak > 1) node.textContent = `${streak} won in a row`;
}

/** The cards that lie on top leap off the table, unless less motion is asked for. */
function leap(svg: SVGSVGElement): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const lying = [...svg.querySelectorAll<SVGGElement>(".zone-cards")].flatMap((layer) => (
    [...layer.querySelectorAll<SVGGElement>(".card")].slice(-13).reverse().map((card, depth) => ({ card, depth }))));
  const layer = svg.appendChild(svgNode("g", { class: "leaping", "aria-hidden": "true" }));
  const leaps = lying.toSorted((one, other) => one.depth - other.depth).slice(0, LEAPERS)
    .map(({ card }, turn) => leapOf(card, layer, turn, svg.viewBox.baseVal.height));
  void Promise.allSettled(leaps).then(() => layer.remove());
}

function leapOf(card: SVGGElement, layer: SVGElement, turn: number, floor: number): Promise<Animation> {
  const at = card.transform.baseVal.consolidate()?.matrix, copy = svgNode("g", {}, cardUse(card.dataset["card"] as Card));
  const [x, y] = [at?.e ?? 0, at?.f ?? 0], drift = (turn % 2 ? 1 : -1) * (140 + (turn * 67) % 260);
  layer.append(copy);
  const frames = Array.from({ length: POINTS + 1 }, (_, point) => {
    const part = point / POINTS, fall = Math.max(floor - y - 140, 40), height = Math.abs(Math.cos(part * Math.PI * 2.5)) * (1 - part * 0.5);
    return { transform: `translate(${x + drift * part}px, ${y + fall * (1 - height)}px)`, opacity: part > 0.85 ? (1 - part) / 0.15 : 1 };
  });
  return copy.animate(frames, { duration: LEAP_TIME, delay: turn * 60, fill: "both" }).finished;
}

