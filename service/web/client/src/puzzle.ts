/** The page of a puzzle: its position is played on, and each move is judged by the server. */

import { type Source, ask } from "./api.ts";
import type { Command, Faces, PuzzleAnswer, PuzzlePosition } from "./api_types.ts";
import { type ToldBoards, boardsOnPage } from "./board.ts";
import type { Chip } from "./chips.ts";
import { type Choice, choiceOf, decided, homeward, lit, meant, obvious, optionsOf, touch } from "./choosing.ts";
import { drawCourts } from "./courts.ts";
import { type CardPlace, type Place, listenToTable } from "./gestures.ts";
import { type Tell, announcer, htmlNode, loadCards, pageData, svgNode } from "./markup.ts";
import { fillPanel, panelFor } from "./panel.ts";
import { applySettings, boardsFor, keptSettings } from "./settings.ts";
import { stripFor } from "./strip.ts";
import { type Table, tableIn } from "./table.ts";

const SEAT = 0, GLIDE = 220;

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
  over: (answer: PuzzleAnswer) => void;
}

/** Shows the position and hears what is done with it; `over` is called once it is solved or missed. */
async function startPuzzle(root: HTMLElement, id: string, over: (answer: PuzzleAnswer) => void): Promise<void> {
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
    id, source, taps, svg, table, panel, tell: announcer(region), position, choice: choiceOf([]), said: [], busy: false, over,
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
    faces: pageData<Faces>("kibitz-faces"), chips: pageData<Chip[]>("kibitz-chips"), clock: { opened: 0, dealt: 0, times: [], seats: [] },
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
  const { svg, table, panel, source, position: { view } } = trying, said = decided(choice);
  table.light(lit(choice), choice.touched);
  const labels = Object.fromEntries(view.zones.map((zone) => [zone.id, zone.label]));
  const heard = { say: (command: Command) => void say(trying, command), back: () => choose(trying, choiceOf(choice.options)), narrow: () => {} };
  const strip = stripFor(svg, (place) => tap(trying, place, false));
  fillPanel(panel, [...strip, panelFor(choice, [], heard, { labels, faces: source.faces }, view.facts)]);
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
    const { data } = await ask<PuzzleAnswer>("POST", `/v1/puzzles/${trying.id}/attempts`, { commands });
    trying.said = commands;
    trying.busy = data.outcome !== "right";
    show(trying, data.position, GLIDE);
    if (data.outcome === "right") trying.tell("Right. And now?");
    else trying.over(data);
  } catch (failure) {
    trying.busy = false;
    choose(trying, choiceOf(trying.choice.options));
    trying.tell((failure as Error).message);
  }
}

/** Right or wrong in one line, where it was played, and on to the next one. */
function tellOutcome(root: HTMLElement, { outcome, source, standing, counted }: PuzzleAnswer): void {
  const moves = source?.solution.map(({ sentence }) => sentence).join(" ") ?? "";
  const said = outcome === "solved" ? "Solved." : `Wrong. Right was: ${moves}`;
  const links = htmlNode("p", { class: "onward" });
  if (source) links.append(htmlNode("a", { href: `/games/${source.game_id}#step=${source.step}` }, "The game it comes from"));
  if (standing) links.prepend(htmlNode("a", { class: "button", href: `/puzzles${location.search}` }, "Next puzzle"));
  else links.prepend(htmlNode("a", { class: "button", href: "/sign-in?back=/puzzles" }, "Sign in for more"));
  root.querySelector(".told")?.replaceChildren(htmlNode("p", { "data-outcome": outcome }, said), ...(standing && !counted ? [htmlNode("p", {}, "It counts nothing: it was no first attempt, or comes from a game of your own.")] : []));
  root.querySelector(".panel")?.replaceChildren(links);
  links.querySelector("a")?.focus({ preventScroll: true });
  const stands = document.querySelector(".standing");
  if (stands && standing) stands.textContent = standingLine(standing);
}

/** How a player stands, as the page says it. */
function standingLine({ rating, streak, solved, missed }: NonNullable<PuzzleAnswer["standing"]>): string {
  return `Rating ${rating.mu.toFixed(1)}, ${solved} solved, ${missed} missed, streak ${streak}.`;
}

const root = document.getElementById("kibitz");
if (root?.dataset["puzzle"]) {
  startPuzzle(root, root.dataset["puzzle"], (answer) => tellOutcome(root, answer)).catch((failure: Error) => {
    root.replaceChildren(htmlNode("p", { role: "alert" }, failure.message));
  });
}
