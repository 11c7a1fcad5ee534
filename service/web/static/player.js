/** The replay player: one game seen by one viewer at one step, and the ways to another step. */

import { boardsOf } from "./boards.js";
import { SPEEDS, controlsFor, listenToKeys } from "./controls.js";
import { factList } from "./facts.js";
import { framesOf } from "./frames.js";
import { copyLink, linkedStep, writeLink } from "./link.js";
import { announcer, htmlNode } from "./markup.js";
import { moveListFor, standsAgain } from "./moves.js";
import { resultLine, statusLine } from "./outcome.js";
import { svgNode, tableIn } from "./table.js";

const STEP_TIME = 1000, FLIGHT_TIME = 280;

/** Starts a player in `root` from a source {game, faces, viewers, frames(viewer, first, last), moments(viewer)}.
 *
 * A source may tell `steps(viewer)` and which `viewer` is first; without, all frames are read and the first listed one
 * looks. Resolves to the player once its first step is shown. */
export async function startPlayer(root, source) {
  const player = newPlayer(source);
  const actions = actionsOf(player);
  player.controls = controlsFor(actions, player.viewers);
  player.moves = moveListFor(player.frames, (step) => goTo(player, step));
  layOut(player, root);
  listenToKeys(actions);
  addEventListener("hashchange", () => obeyAddress(player));
  await obeyAddress(player, true);
  return player;
}

function newPlayer(source) {
  const region = htmlNode("div", { class: "told", "aria-live": "polite", role: "status" });
  const svg = svgNode("svg", { class: "table" });
  return {
    source, region, svg, frames: framesOf(source), viewers: source.viewers, table: tableIn(svg, source.faces),
    viewer: source.viewer ?? source.viewers[0].key, step: 0, speed: 1, timer: null, moments: [], frame: null,
    live: false, listeners: [], ticket: 0, tell: announcer(region),
    banner: htmlNode("p", { class: "banner", hidden: true }), status: htmlNode("p", { class: "status" }),
    facts: htmlNode("div", { class: "fact-list" }), boards: htmlNode("div", { class: "boards" }), panel: htmlNode("div", { class: "panel" }),
    get steps() { return this.frames.steps(this.viewer); },
    get following() { return this.step >= this.steps - 1; },
  };
}

function layOut(player, root) {
  const { banner, status, svg, panel, region, boards } = player;
  const stage = htmlNode("div", { class: "stage" }, banner, status, svg, panel, region, boards);
  const side = htmlNode("div", { class: "side" },
    htmlNode("h2", {}, "Moves"), player.moves.node, htmlNode("h2", {}, "Facts"), player.facts);
  root.replaceChildren(htmlNode("div", { class: "kibitz" }, stage, player.controls.node, side));
}

/** What buttons and keys do. */
function actionsOf(player) {
  const last = () => player.steps - 1;
  const moment = (fits) => goTo(player, fits(player.moments)?.step ?? player.step);
  return {
    first: () => goTo(player, 0), previous: () => goTo(player, player.step - 1),
    next: () => goTo(player, player.step + 1), last: () => goTo(player, last()),
    slide: (event) => goTo(player, Number(event.target.value)), play: () => (player.timer ? stop(player) : run(player)),
    moment: (step) => step !== "" && goTo(player, Number(step)),
    momentBefore: () => moment((all) => all.findLast(({ step }) => step < player.step)),
    momentAfter: () => moment((all) => all.find(({ step }) => step > player.step)),
    speed: (speed) => setSpeed(player, Number(speed)), faster: () => setSpeed(player, nextSpeed(player.speed, 1)),
    slower: () => setSpeed(player, nextSpeed(player.speed, -1)), viewer: (key) => lookAs(player, key),
    link: () => copyLink(player.step, player.viewer, player.tell),
    keys: () => player.controls.node.querySelector("dialog").showModal(),
  };
}

function nextSpeed(speed, by) {
  return SPEEDS[Math.min(Math.max(SPEEDS.indexOf(speed) + by, 0), SPEEDS.length - 1)];
}

function setSpeed(player, speed) {
  player.speed = speed;
  redraw(player);
}

/** Goes to a step by somebody's wish: what was running stops. */
export function goTo(player, step) {
  pause(player);
  return show(player, step);
}

/** Shows a step as soon as its frame is here; the latest wish wins. */
export async function show(player, wanted) {
  const step = Math.min(Math.max(wanted, 0), Math.max(player.steps - 1, 0)), ticket = (player.ticket += 1);
  const frame = player.frames.known(player.viewer, step) ?? await player.frames.at(player.viewer, step);
  if (ticket !== player.ticket || frame === null) return;
  player.step = step;
  drawFrame(player, frame);
}

/** Looks through other eyes at the same step. */
export async function lookAs(player, key) {
  const following = player.following, ticket = player.ticket;
  player.viewer = key;
  await player.frames.count(key);
  loadMoments(player);
  if (ticket === player.ticket) await show(player, following ? player.steps - 1 : player.step);
  for (const heard of player.listeners) heard("viewer");
}

async function loadMoments(player) {
  const viewer = player.viewer, moments = await player.source.moments(viewer);
  if (viewer === player.viewer) Object.assign(player, { moments });
  redraw(player);
}

/** The game has gone on for this viewer: whoever stands at the newest step goes along. */
export async function goOn(player, viewer, frame) {
  const followed = player.viewer === viewer && player.following && !player.timer;
  player.frames.add(viewer, frame);
  await (followed ? show(player, frame.step) : redraw(player));
  if (frame.result) loadMoments(player);
}

function drawFrame(player, frame) {
  const before = player.frame, pace = STEP_TIME / player.speed;
  player.frame = frame;
  const flight = player.timer ? Math.min(FLIGHT_TIME, pace * 0.7) : FLIGHT_TIME;
  const near = before && Math.abs(frame.step - before.step) === 1;
  if (frame.view) player.table.draw(frame.view, { seat: seatOf(player.viewer), flight: near && flight > 60 ? flight : 0 });
  Object.assign(player.svg.dataset, { step: frame.step, version: frame.version, viewer: player.viewer });
  player.region.setAttribute("aria-live", player.timer && player.speed > 2 ? "off" : "polite");
  player.tell(...frame.sentences, ...standsAgain(frame));
  player.facts.replaceChildren(factList(frame.view?.facts, player.source.faces));
  player.boards.replaceChildren(...boardsOf(frame.view, player.source.game, player.source.faces));
  redraw(player);
  for (const heard of player.listeners) heard("frame");
}

/** The seat of a viewer's key, null of a spectator. */
export function seatOf(viewer) {
  return viewer.startsWith("seat-") ? Number(viewer.slice(5)) : null;
}

/** Brings everything but the table up to date. */
export function redraw(player) {
  const { step, steps, speed, viewer, viewers, moments, following, live } = player;
  player.controls.update({ step, steps, speed, viewer, viewers, moments, following, live, playing: player.timer !== null });
  if (player.frame) player.moves.update(viewer, step, steps);
  player.status.textContent = statusLine(player.frame, player.source.game);
  player.banner.textContent = resultLine(player.frame, player.source.game);
  player.banner.hidden = player.banner.textContent === "";
  keepAddress(player);
}

function run(player) {
  if (player.following) player.step = -1;
  const tick = async () => {
    await show(player, player.step + 1);
    player.timer = player.timer && (player.following ? null : setTimeout(tick, STEP_TIME / player.speed));
    redraw(player);
  };
  player.timer = setTimeout(tick, 0);
  redraw(player);
}

function stop(player) {
  pause(player);
  redraw(player);
}

/** Stops what is running. */
export function pause(player) {
  clearTimeout(player.timer);
  player.timer = null;
}

async function obeyAddress(player, first = false) {
  const { step, viewer } = linkedStep();
  const known = player.viewers.some(({ key }) => key === viewer);
  if (!first && (viewer ?? player.viewer) === player.viewer && (step ?? player.step) === player.step) return;
  if (known) player.viewer = viewer;
  await player.frames.count(player.viewer);
  loadMoments(player);
  await goTo(player, step ?? (first && player.source.game.result ? 0 : player.steps - 1));
}

/** The address says what is shown, unless somebody has just changed it; while a replay runs it waits. */
function keepAddress(player) {
  clearTimeout(player.writing);
  if (player.timer || !player.frame) return;
  const before = location.hash;
  player.writing = setTimeout(() => location.hash === before && writeLink(player), 150);
}
