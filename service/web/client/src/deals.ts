/** The table once more: another deal, the same one again, the same one for a friend. */

import { type ApiSource, ask, gamePath, isOver } from "./api.ts";
import type { CommandAnswer } from "./api_types.ts";
import type { Built } from "./counsel.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import type { Play } from "./play.ts";
import { type Player, goOn, goTo } from "./player.ts";

const UNDOS_MOST = 500;

/** How the same deal comes about: all moves are taken back, this game is given up first, or it is dealt anew. */
export type Way = "undo" | "resign" | "deal";

/** On what terms the page is looked at: `visitor` is the player who has a session here, `withheld` says that the deal is
 * not told when the game is over (others still play it), `undoes` that moves can be taken back, `autoplay` that safe cards
 * may go home by themselves. */
export interface Terms {
  visitor: string | null;
  withheld: boolean;
  undoes: boolean;
  autoplay: Built | null;
}

/** The way for the game as it stands; null: there is none, or nothing has been done yet. */
export function wayToRestart(player: Player, source: ApiSource, play: Play, begun: boolean, terms: Terms): Way | null {
  const { game } = source, alone = game.your_seats.length === game.seats.length;
  if (isOver(game)) return terms.withheld ? null : "deal";
  if (player.frame?.status !== "playing" || !begun || play.seat() === null) return null;
  if (terms.undoes) return "undo";
  return alone && !terms.withheld && play.choice() !== null ? "resign" : null;
}

/** Goes to another game like this one, or to the `same` cards, as the form of a page without a script would; whoever is
 * not signed in becomes a guest by it. */
export function openDeal({ game }: ApiSource, { visitor }: Terms, same: boolean): void {
  const action = `/games/${game.id}/${same ? "deal" : "new-deal"}${visitor === null ? "/as-guest" : ""}`;
  const form = htmlNode("form", { method: "post", action, hidden: true });
  document.body.append(form);
  form.submit();
}

/** The same deal, this way. */
export async function restart(way: Way, player: Player, source: ApiSource, terms: Terms): Promise<void> {
  if (way === "undo") return takeAllBack(player, source);
  if (way === "resign") {
    for (const seat of source.game.your_seats) {
      await source.refresh();
      if (!isOver(source.game)) await ask("POST", gamePath(source.game.id, "/commands", { seat }), { type: "game/resign" });
    }
  }
  openDeal(source, terms, true);
}

/** Every move of the line that stands is taken back, in the same game. */
async function takeAllBack(player: Player, { game }: ApiSource): Promise<void> {
  const { frames, viewer } = player, seat = viewer.slice("seat-".length);
  let count = 0;
  for (let step = player.frame?.live_step ?? 0; step > 0; count += 1) step = (await frames.at(viewer, step - 1))?.live_step ?? 0;
  while (count > 0) {
    const commands = Array<object>(Math.min(count, UNDOS_MOST)).fill({ type: "game/undo" });
    const { data } = await ask<CommandAnswer>("POST", gamePath(game.id, "/commands/batch", { seat }), { commands });
    for (const frame of data.frames) frames.add(viewer, frame);
    const last = data.frames.at(-1);
    if (last) await goOn(player, viewer, last);
    count -= commands.length;
  }
  await goTo(player, player.steps - 1);
}

/** Asks before a game that counts is left: what it costs, and what is pressed by who is `sure`. */
export function askFirst(question: string, cost: string, press: string, sure: () => void): void {
  const dialog = htmlNode("dialog", { class: "giving-up", "aria-labelledby": "giving-up", close: () => dialog.remove() });
  dialog.append(htmlNode("h2", { id: "giving-up" }, question), htmlNode("p", {}, cost),
    buttonNode("Go on playing", () => dialog.close()), buttonNode(press, () => { dialog.close(); sure(); }, { class: "say" }));
  (document.querySelector(".kibitz") ?? document.body).append(dialog);
  dialog.showModal();
}

/** What it costs to leave a game that counts where it stands. */
export function costOf({ game }: ApiSource): string {
  const { move_seconds: limit = null } = game, usual = game.seats.length === game.your_seats.length ? "a day" : "two weeks";
  const time = limit === null ? usual : limit < 120 ? `${limit} seconds` : limit < 7200 ? `${Math.floor(limit / 60)} minutes` : `${Math.floor(limit / 3600)} hours`;
  return `It is rated. You can come back to it, but after ${time} without a move it counts as lost.`;
}

/** Copies the address at which anybody may play the same cards. */
export async function copyDealLink(player: Player, id: string): Promise<void> {
  const address = `${location.origin}/games/${id}/deal`;
  try {
    await navigator.clipboard.writeText(address);
    player.tell("The link is copied: whoever opens it plays the same cards.");
  } catch {
    player.tell(address);
  }
}
