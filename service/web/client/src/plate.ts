/** A plate of the table: how many moves were made, how long it has taken, the score where the facts tell one. */

import type { Frame } from "./api_types.ts";
import type { Chip } from "./chips.ts";
import { htmlNode } from "./markup.ts";
import type { Player } from "./player.ts";

const WAITING_MOST = 24, SECOND = 1000;

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
  let first: Frame | null = null;
  const made = () => (first && player.frame ? Math.max(player.frame.step - first.step, 0) : 0);
  const elapsed = () => (first && player.frame ? elapsedAt(player, first, player.frame) : 0);
  const update = () => {
    moves.textContent = movesText(made());
    time.textContent = clockText(elapsed());
    score.textContent = scoreText(player.frame, player.source.chips);
  };
  const begin = async () => {
    first ??= await firstPlayed(player);
    update();
  };
  player.listeners.push(() => void (first ? update() : begin()));
  setInterval(() => { if (first && player.frame?.status === "playing") time.textContent = clockText(elapsed()); }, SECOND);
  void begin();
  const begun = () => first !== null && player.frame !== null && player.frame.live_step > first.step;
  return { node, update, begun, words: () => `${movesText(made())} in ${clockText(elapsed())}` };
}

/** The frame of the deal: what comes before it is people sitting down. */
async function firstPlayed({ frames, viewer, steps }: Player): Promise<Frame | null> {
  for (let step = 0; step < Math.min(steps, WAITING_MOST); step += 1) {
    const frame = await frames.at(viewer, step);
    if (frame?.view) return frame;
  }
  return null;
}

/** Milliseconds from the deal to the step that is shown; to now where the game goes on from it. */
function elapsedAt({ following }: Player, first: Frame, shown: Frame): number {
  const runs = following && shown.status === "playing";
  const until = runs ? Date.now() : Date.parse(shown.time);
  return Math.max(until - Date.parse(first.time), Date.parse(shown.time) - Date.parse(first.time), 0);
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
