/** The page of a puzzle: its position is played on, and each move is judged by the server. */

import { type Source, ask } from "./api.ts";
import type { Command, Faces, PuzzleAnswer, PuzzlePosition } from "./api_types.ts";
import { type ToldBoards, boardsOnPage } from "./board.ts";
import type { Bar } from "./chips.ts";
import { type Choice, choiceOf, decided, homeward, lit, meant, obvious, optionsOf, touch } from "./choosing.ts";
import { drawCourts } from "./courts.ts";
import { type CardPlace, type Place, listenToTable } from "./gestures.ts";
import { type Tell, announcer, buttonNode, htmlNode, loadCards, pageData, svgNode } from "./markup.ts";
import { fillPanel, panelFor } from "./panel.ts";
import { applySettings, boardsFor, keptSettings } from "./settings.ts";
import { stripFor } from "./strip.ts";
import { type Table, tableIn } from "./table.ts";

const SEAT = 0, GLIDE = 220, PAUSE = 900;

/** A puzzle that is tried; `said`: the moves so far, which were right. `busy`: a move is being judged, or it is over. */
interface Trying {
  id: string;
  source: Source;
  taps: Record<string, string>;
  svg: SVGSVGElement;
  table: Table;
  panel: HTMLElement;
  tell: Tell;
  position: PuzzlePosition;
  choice: Choice;
  said: Command[];
  busy: boolean;
  run: string | null;
}

/** Shows the position and hears what is done with it; `run`: the run that it belongs to. */
async function startPuzzle(root: HTMLElement, id: string, run: string | null): Promise<void> {
  const settings = keptSettings(), taps = pageData<Record<string, string>>("kibitz-taps");
  applySettings(settings);
  const source = sourceOf(boardsFor(settings, boardsOnPage()));
  await loadCards();
  if (settings["courts"] === "pictures") void drawCourts(true);
  const svg = svgNode("svg", { class: "table" }), panel = htmlNode("div", { class: "panel" });
  const region = root.querySelector<HTMLElement>(".told") ?? htmlNode("div", { class: "told", role: "status" });
  const position = pageData<PuzzlePosition>("kibitz-position"), table = tableIn(svg, source);
  root.querySelector(".stage > .table")?.replaceWith(svg);
  region.after(panel);
  const trying: Trying = {
    id, source, taps, svg, table, panel, tell: announcer(region), position, choice: choiceOf([]), said: [], busy: false, run,
  };
  listenToTable(svg, table, {
    tap: (place, again) => tap(trying, place, again), dragged: (from, to) => drag(trying, from, to),
    lifted: (place) => lightTargets(trying, place), canLift: (place) => canLift(trying, place),
    escape: () => choose(trying, choiceOf(trying.choice.options)), undo: () => trying.tell("A puzzle is not taken back."),
  });
  show(trying, position, 0);
}

/** What a table needs to know: nobody sits there. */
function sourceOf(boards: ToldBoards): Source {
  return {
    game: { id: "", status: "playing", seats: 1, players: [null], result: null }, boards, branches: [],
    faces: pageData<Faces>("kibitz-faces"), ...pageData<Bar>("kibitz-chips"), clock: { opened: 0, dealt: 0, times: [], seats: [] },
    viewers: [], viewer: `seat-${SEAT}`, steps: async () => 0, frames: async () => [], moments: async () => [],
  };
}

function show(trying: Trying, position: PuzzlePosition, flight: number): void {
  const { table, taps } = trying, { view, commands } = position;
  trying.position = position;
  table.draw(view, { seat: SEAT, flight });
  choose(trying, choiceOf(trying.busy ? [] : optionsOf(commands, view.zones, SEAT, taps)));
}

function choose(trying: Trying, choice: Choice): void {
  trying.choice = choice;
  const { svg, table, source, position: { view } } = trying, said = decided(choice);
  table.light(lit(choice), choice.touched);
  const labels = Object.fromEntries(view.zones.map((zone) => [zone.id, zone.label]));
  const heard = { say: (command: Command) => void say(trying, command), back: () => choose(trying, choiceOf(choice.options)), narrow: () => {} };
  const strip = stripFor(svg, (place) => tap(trying, place, false));
  fillPanel(trying, [...strip, panelFor(choice, [], heard, { labels, faces: source.faces }, view.facts)], !trying.busy);
  if (said) void say(trying, said);
}

function tap(trying: Trying, place: Place, again: boolean): void {
  if (trying.busy) return;
  const key = meant(trying.choice, place.zone, place.index), begun = trying.choice.touched.includes(key);
  const twice = again ? begun ? trying.choice : touch(trying.choice, key) : null;
  const command = twice?.touched.length ? homeward(twice) ?? obvious(twice) : null;
  const further = command ? null : touch(trying.choice, key);
  if (command) void say(trying, command);
  else if (further) choose(trying, further);
  else trying.tell("Nothing can be done with that now.");
}

function canLift({ choice, busy }: Trying, { zone, index }: CardPlace): boolean {
  return !busy && lit(choiceOf(choice.options)).has(`${zone}/${index}`);
}

function lightTargets({ table, choice }: Trying, place: CardPlace | null): void {
  const key = place && `${place.zone}/${place.index}`, lifted = key && touch(choiceOf(choice.options), key);
  if (lifted) table.light(lit(lifted), [key]);
  else table.light(lit(choice), choice.touched);
}

function drag(trying: Trying, from: CardPlace, to: Place): void {
  const start = touch(choiceOf(trying.choice.options), `${from.zone}/${from.index}`);
  const end = start && touch(start, meant(start, to.zone, to.index));
  if (end?.touched.length === 2) choose(trying, end);
  else trying.tell("It cannot go there.");
}

/** The move is judged together with those before it. */
async function say(trying: Trying, command: Command): Promise<void> {
  if (trying.busy) return;
  trying.busy = true;
  const commands = [...trying.said, command];
  try {
    const { data } = await ask<PuzzleAnswer>("POST", `/v1/puzzles/${trying.id}/attempts`, { commands, run_id: trying.run });
    trying.said = commands;
    trying.busy = data.outcome !== "right";
    show(trying, data.position, GLIDE);
    if (data.outcome === "right") trying.tell("Right. And now?");
    else tellOutcome(trying, data);
  } catch (failure) {
    trying.busy = false;
    choose(trying, choiceOf(trying.choice.options));
    trying.tell((failure as Error).message);
  }
}

/** Right or wrong where it was played, why, and on to the next one. */
function tellOutcome(trying: Trying, answer: PuzzleAnswer): void {
  const { outcome, source, standing, counted, lost, run } = answer;
  if (run && outcome === "solved") return goOn(trying.run);
  const words = htmlNode("p", { "data-outcome": outcome }, lost ? whyLost(answer) : "Solved.");
  const links = htmlNode("p", { class: "onward" }, onward(trying, answer));
  if (!standing && !run) links.append(htmlNode("a", { href: "/sign-in?back=/puzzles" }, "Sign in for more"));
  if (lost) links.append(buttonNode("Show the winning line", () => void playLine(trying, answer), { class: "quiet" }));
  if (source) links.append(htmlNode("a", { href: `/games/${source.game_id}#step=${source.step}` }, "The game it comes from"));
  const first = counted || !standing || run ? [] : [htmlNode("p", {}, "Your rating stays: it was no first attempt, or comes from a game of your own.")];
  toldIn(trying)?.replaceChildren(words, ...first);
  trying.panel.replaceChildren(links);
  links.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
  const stands = document.querySelector(".standing");
  if (stands && standing) stands.textContent = standingLine(standing);
}

/** What the wrong move did, what it left, and what would have won. */
function whyLost({ lost, solution }: PuzzleAnswer): string {
  const left = lost?.moves_left ?? 0, right = solution.map(({ sentence }) => sentence).join(" ");
  const rest = left === 0 ? "No move is left." : left === 1 ? "Only one move is left, and it does not win." : `${left} moves are left, and none of them wins.`;
  return `Wrong: ${lost?.sentence} ${rest} Right was: ${right}`;
}

function onward({ run }: Trying, answer: PuzzleAnswer): HTMLElement {
  if (run) return buttonNode(answer.run?.puzzle_id ? "Go on" : "See the result", () => goOn(run), { class: "button" });
  if (answer.standing) return htmlNode("a", { class: "button", href: `/puzzles${location.search}` }, "Next puzzle");
  return htmlNode("a", { class: "button", href: "#modes" }, "More puzzles");
}

function goOn(run: string | null): void {
  location.replace(`/puzzles/runs/${run}`);
}

function toldIn({ panel }: Trying): Element | null {
  return panel.parentElement?.querySelector(".told") ?? null;
}

/** The winning line on the table, move by move, from where the wrong move was made. */
async function playLine({ table, tell }: Trying, { lost, position }: PuzzleAnswer): Promise<void> {
  table.draw(position.view, { seat: SEAT, flight: 0 });
  for (const [at, { view }] of (lost?.positions ?? []).entries()) {
    await new Promise((done) => { setTimeout(done, PAUSE); });
    table.draw(view, { seat: SEAT, flight: GLIDE });
    tell(lost?.line[at]?.sentence ?? "");
  }
}

/** How a player stands, as the page says it. */
function standingLine({ rating, streak, solved, missed }: NonNullable<PuzzleAnswer["standing"]>): string {
  return `Rating ${rating.mu.toFixed(1)}, ${solved} solved, ${missed} missed, streak ${streak}.`;
}

/** The clock of a rush runs down, and leads to its result. */
function startClock(clock: HTMLElement, run: string): void {
  const ends = performance.now() + Number(clock.dataset["left"]) * 1000;
  const ticking = setInterval(() => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left) return;
    clearInterval(ticking);
    goOn(run);
  }, 200);
}

const root = document.getElementById("kibitz"), clock = document.querySelector<HTMLElement>(".clock");
if (root?.dataset["puzzle"]) {
  const run = root.dataset["run"] ?? null;
  if (run && clock) startClock(clock, run);
  startPuzzle(root, root.dataset["puzzle"], run).catch((failure: Error) => {
    root.replaceChildren(htmlNode("p", { role: "alert" }, failure.message));
  });
}
