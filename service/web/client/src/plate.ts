/** A plate of the table: how many moves were made, how long it has taken, the score where the facts tell one. */

import type { Frame } from "./api_types.ts";
import type { Chip } from "./chips.ts";
import { timeOf } from "./clock.ts";
import { htmlNode } from "./markup.ts";
import type { Player } from "./player.ts";

const SECOND = 1000;

/** The plate: `words` says moves and time; `begun`: whether anything stands that was done since the deal. */
export interface Plate {
  node: HTMLElement;
  update: () => void;
  words: () => string;
  begun: () => boolean;
}

/** The plate of this player's game; it ticks while the newest step of a game that is played is shown. */
export function plateFor(player: Player): Plate {
  const moves = htmlNode("span", { class: "plate-moves" }), time = htmlNode("span", { class: "plate-time" });
  const score = htmlNode("span", { class: "plate-score" });
  const node = htmlNode("div", { class: "tally", role: "group", "aria-label": "Moves, time" }, moves, time, score);
  let dealt = player.source.game.status === "waiting" ? null : player.source.clock.dealt;
  const made = () => (dealt !== null && player.frame ? Math.max(player.frame.step - dealt, 0) : 0);
  const elapsed = () => (dealt !== null && player.frame ? elapsedAt(player, dealt, player.frame) : 0);
  const update = () => {
    if (player.frame?.view) dealt ??= player.frame.step;
    moves.textContent = movesText(made());
    time.textContent = clockText(elapsed());
    score.textContent = scoreText(player.frame, player.source.chips);
  };
  player.listeners.push(update);
  setInterval(() => { if (player.frame?.status === "playing") time.textContent = clockText(elapsed()); }, SECOND);
  update();
  const begun = () => dealt !== null && player.frame !== null && player.frame.live_step > dealt;
  return { node, update, begun, words: () => `${movesText(made())} in ${clockText(elapsed())}` };
}

/** Milliseconds from the deal, before which people sit down, to the step that is shown; to now where the game goes on. */
function elapsedAt({ following, source }: Player, dealt: number, shown: Frame): number {
  const begun = SECOND * timeOf(source.clock, dealt), until = Date.parse(shown.time);
  return Math.max((following && shown.status === "playing" ? Date.now() : until) - begun, until - begun, 0);
}

function movesText(count: number): string {
  return `${count} ${count === 1 ? "move" : "moves"}`;
}

/** `4:05`, from an hour on `1:04:05`, from two days on `3 d`. */
export function clockText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND), hours = Math.floor(seconds / 3600);
  const two = (number: number) => String(number % 60).padStart(2, "0");
  if (hours >= 48) return `${Math.floor(hours / 24)} d`;
  const minutes = Math.floor(seconds / 60);
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A score that no chip tells already. */
function scoreText(frame: Frame | null, chips: Chip[]): string {
  const score = frame?.view?.facts["score"];
  return typeof score === "number" && !chips.some(({ fact }) => fact === "score") ? `score ${score}` : "";
}
