/** The list of moves: the sentences of every step near the one that is shown; a click goes there. */

import { buttonNode, htmlNode } from "./markup.js";

const MOVES_AROUND = 60;

/** The list: {node, update}; `go(step)` is called by a click, `frames` is the store. */
export function moveListFor(frames, go) {
  const list = htmlNode("ol", { class: "moves", "aria-label": "Moves", tabindex: "0" });
  const state = { list, frames, go, drawn: "", first: 0, last: -1, step: 0 };
  return { node: list, update: (viewer, step, steps) => updateMoves(state, viewer, step, steps) };
}

/** Draws the steps around this one anew when they are not all there. */
async function updateMoves(state, viewer, step, steps) {
  const [first, last] = [Math.max(0, step - MOVES_AROUND), Math.min(steps - 1, step + MOVES_AROUND)];
  const near = step >= state.first + Math.min(10, step) && step <= state.last - Math.min(10, steps - 1 - step);
  const name = `${viewer} ${steps}`;
  state.step = step;
  if (state.drawn !== name || !near) {
    Object.assign(state, { drawn: name, first, last });
    const frames = await framesBetween(state.frames, viewer, first, last);
    if (state.drawn !== name || state.first !== first) return;
    state.list.replaceChildren(...moveItems(state, frames, steps));
  }
  markMove(state.list, state.step);
}

async function framesBetween(frames, viewer, first, last) {
  const found = [];
  for (let step = first; step <= last; step += 1) found.push(frames.known(viewer, step) ?? await frames.at(viewer, step));
  return found.filter((frame) => frame !== null);
}

function moveItems(state, frames, steps) {
  const items = frames.map((frame) => moveItem(frame, state.go));
  if (state.first > 0) items.unshift(skipItem(`${state.first} earlier steps`, () => state.go(state.first - 1)));
  if (state.last < steps - 1) items.push(skipItem(`${steps - 1 - state.last} later steps`, () => state.go(state.last + 1)));
  return items;
}

function moveItem(frame, go) {
  const said = [...frame.sentences, ...standsAgain(frame)].join(" ") || "…";
  const button = buttonNode("", () => go(frame.step));
  button.append(htmlNode("span", { class: "move-number" }, `${frame.step}`), htmlNode("span", {}, said));
  return htmlNode("li", { "data-step": frame.step }, button);
}

function skipItem(text, press) {
  return htmlNode("li", { class: "skip" }, buttonNode(text, press));
}

/** After an undo an earlier step stands again: that in words. */
export function standsAgain({ step, live_step: shown }) {
  return shown === step ? [] : [`Step ${shown} stands again.`];
}

/** Scrolls the list itself, never the page. */
function markMove(list, step) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = list.querySelector(`[data-step="${step}"] button`);
  if (!button) return;
  button.setAttribute("aria-current", "step");
  list.scrollTop = button.offsetTop - list.clientHeight / 2;
}
