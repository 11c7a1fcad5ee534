/** The list of moves: the sentences of every step near the one that is shown; a click goes there. */

import type { Frames, Said } from "./frames.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import { untilAnswered } from "./patience.ts";

const MOVES_AROUND = 12;

export interface MoveList {
  node: HTMLElement;
  update: (viewer: string, step: number, steps: number) => void;
}

/** What is drawn (`drawn` names it), from the first to the last step of it. */
interface Moves {
  list: HTMLElement;
  frames: Frames;
  go: (step: number) => void;
  drawn: string;
  first: number;
  last: number;
  step: number;
}

/** The list; `go(step)` is called by a click, `frames` is the store. */
export function moveListFor(frames: Frames, go: (step: number) => void): MoveList {
  const list = htmlNode("ol", { class: "moves", "aria-label": "Moves", tabindex: "0" });
  const state: Moves = { list, frames, go, drawn: "", first: 0, last: -1, step: 0 };
  return { node: list, update: (viewer, step, steps) => void updateMoves(state, viewer, step, steps) };
}

/** Draws the steps around this one anew when they are not all there. */
async function updateMoves(state: Moves, viewer: string, step: number, steps: number): Promise<void> {
  const first = Math.max(0, step - MOVES_AROUND), last = Math.min(steps - 1, step + MOVES_AROUND);
  const near = step >= state.first + Math.min(10, step) && step <= state.last - Math.min(10, steps - 1 - step);
  const name = `${viewer} ${steps}`;
  state.step = step;
  if (state.drawn !== name || !near) {
    Object.assign(state, { drawn: name, first, last });
    const isCurrent = () => state.drawn === name && state.first === first; // or somebody went elsewhere meanwhile
    const load = () => movesBetween(state.frames, viewer, first, last);
    const moves = await untilAnswered(load, () => {}, isCurrent).catch(() => null);
    if (moves === null || !isCurrent()) return;
    state.list.replaceChildren(...moveItems(state, moves, steps));
  }
  markMove(state.list, state.step);
}

async function movesBetween(frames: Frames, viewer: string, first: number, last: number): Promise<Said[]> {
  const moves: (Said | null)[] = [];
  for (let step = first; step <= last; step += 1) moves.push(await frames.said(viewer, step));
  return moves.filter((move) => move !== null);
}

function moveItems(state: Moves, moves: Said[], steps: number): HTMLElement[] {
  const items = moves.map((move) => moveItem(move, state.go));
  if (state.first > 0) items.unshift(skipItem(`${state.first} earlier steps`, () => state.go(state.first - 1)));
  if (state.last < steps - 1) items.push(skipItem(`${steps - 1 - state.last} later steps`, () => state.go(state.last + 1)));
  return items;
}

function moveItem(move: Said, go: (step: number) => void): HTMLElement {
  const { step } = move, button = buttonNode("", () => go(step));
  const words = move.sentences.join(" ") || "…";
  button.append(htmlNode("span", { class: "move-number" }, `${step}`), htmlNode("span", {}, words));
  return htmlNode("li", { "data-step": step }, button);
}

function skipItem(text: string, press: () => void): HTMLElement {
  return htmlNode("li", { class: "skip" }, buttonNode(text, press));
}

/** Scrolls the list itself, never the page. */
function markMove(list: HTMLElement, step: number): void {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = list.querySelector<HTMLElement>(`[data-step="${step}"] button`);
  if (!button) return;
  button.setAttribute("aria-current", "step");
  list.scrollTop = button.offsetTop - list.clientHeight / 2;
}
