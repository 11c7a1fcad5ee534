/** The winning line of a patience's analysis: told move by move, and played out on the table of the replay. */

import { type ApiSource, ask, eyesOf, gamePath } from "./api.ts";
import type { AnalysisLine, PatienceReport, View } from "./api_types.ts";
import { traceStep } from "./hindsight.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import { namePlayers } from "./outcome.ts";
import { type Player, drawView, goTo, reveal } from "./player.ts";

const PAUSE = 1100, GLIDE = 280;

/** A line that begins after step `from`; `shown`: the move that the table shows, null while it shows its own step. */
interface Line {
  player: Player;
  from: number;
  sentences: string[];
  views: (viewer: string) => Promise<View[]>;
  node: HTMLDetailsElement;
  list: HTMLElement;
  bar: HTMLElement;
  button: HTMLButtonElement;
  where: HTMLElement;
  shown: number | null;
  timer: number | null;
}

/** The line of this report; at the step where the game was lost, its first move is the missed one. */
export function lineOf(player: Player, source: ApiSource, report: PatienceReport): HTMLElement[] {
  const from = report.line_step;
  if (from === null || !report.line.length) return [];
  const sentences = report.line.map(({ sentence }) => namePlayers(sentence, source.game)), views = viewsOf(source);
  const [first = ""] = sentences, lost = report.outcome === "lost" ? report.lost_step : null;
  const node = lineNode({ player, from, sentences, views });
  if (lost === null) return [node];
  player.missed = { steps: [from, lost], words: `Missed: ${first}`, views: (viewer) => firstViews(player, views, viewer, from) };
  const words = `At step ${lost} the table shows both: outlined what was played, by an arrow what would still have won. ${first}`;
  return [htmlNode("p", { class: "missed" }, words), node];
}

/** The tables after the line's moves, asked for once for each viewer. */
function viewsOf({ game: { id }, credentials }: ApiSource): Line["views"] {
  const answers = new Map<string, Promise<View[]>>();
  return (viewer) => {
    const before = answers.get(viewer);
    if (before) return before;
    const path = gamePath(id, "/analysis/line", eyesOf(viewer));
    const asking = ask<AnalysisLine>("GET", path, null, {}, credentials).then(({ data }) => data.views);
    answers.set(viewer, asking);
    asking.catch(() => answers.delete(viewer));
    return asking;
  };
}

async function firstViews(
  { frames }: Player, views: Line["views"], viewer: string, from: number,
): Promise<[View, View] | null> {
  const [frame, [first]] = await Promise.all([frames.at(viewer, from), views(viewer)]);
  return frame?.view && first ? [frame.view, first] : null;
}

function lineNode(parts: Pick<Line, "player" | "from" | "sentences" | "views">): HTMLElement {
  const list = htmlNode("ol", { tabindex: 0, "aria-label": "The winning line" });
  const button = buttonNode("Play it", () => (line.timer === null ? void play(line) : stop(line)), { "data-do": "line" });
  const where = htmlNode("output", { class: "where" }), back = buttonNode("Back to the game", () => leave(line));
  const bar = htmlNode("div", { class: "choices", role: "group", "aria-label": "How it could be won" }, button, where, back);
  const node = htmlNode("details", { class: "line", toggle: () => (node.open ? void begin(line) : leave(line)) },
    htmlNode("summary", {}, "Show me"), list);
  const line: Line = { ...parts, node, list, bar, button, where, shown: null, timer: null };
  list.append(...line.sentences.map((sentence, at) => htmlNode("li", {}, buttonNode(sentence, () => jump(line, at)))));
  parts.player.listeners.push(() => { if (line.shown !== null) leave(line); });
  update(line);
  return node;
}

/** From the position where it begins, at once. */
async function begin(line: Line): Promise<void> {
  reveal(line.player);
  await goTo(line.player, line.from);
  if (line.node.open && line.player.step === line.from) await play(line);
}

function jump(line: Line, at: number): void {
  stop(line);
  reveal(line.player);
  void show(line, at);
}

/** Plays on from the move that is shown, after the last one from the first. */
async function play(line: Line): Promise<void> {
  if (line.shown === null && line.player.step !== line.from) await goTo(line.player, line.from);
  const next = line.shown === line.sentences.length - 1 ? 0 : (line.shown ?? -1) + 1;
  line.timer = setTimeout(() => void tick(line, next), line.shown === null ? PAUSE / 2 : 0);
  update(line);
}

async function tick(line: Line, at: number): Promise<void> {
  const shown = await show(line, at);
  if (line.timer === null) return;
  const more = shown && at + 1 < line.sentences.length;
  line.timer = more ? setTimeout(() => void tick(line, at + 1), PAUSE / (line.player.speed || 1)) : null;
  update(line);
}

/** The table after this move; false: it cannot be had, or is not wanted any more. */
async function show(line: Line, at: number): Promise<boolean> {
  const { player, from, sentences, views } = line, { viewer, ticket } = player;
  const [start, tables] = await Promise.all([player.frames.at(viewer, from), views(viewer)]).catch((failure: Error) => {
    player.tell(failure.message);
    return [null, null];
  });
  const before = at ? tables?.[at - 1] : start?.view, after = tables?.[at];
  if (!before || !after || !line.node.open || player.ticket !== ticket || player.viewer !== viewer) return false;
  const near = at === 0 ? line.shown === null : line.shown === at - 1;
  Object.assign(line, { shown: at });
  player.aside = true;
  drawView(player, after, near ? GLIDE : 0);
  player.table.trace([{ kind: "played", before, after, words: null }]);
  if (!line.bar.isConnected) player.panel.replaceChildren(line.bar); // under the table, where it is looked at
  player.tell(`${at + 1} of ${sentences.length}: ${sentences[at]}`);
  update(line);
  return true;
}

function stop(line: Line): void {
  clearTimeout(line.timer ?? undefined);
  line.timer = null;
  update(line);
}

/** The table shows its own step again. */
function leave(line: Line): void {
  const { player, shown } = line;
  stop(line);
  if (shown === null) return;
  line.shown = null;
  player.aside = false;
  line.bar.remove();
  if (player.frame?.view) drawView(player, player.frame.view, 0);
  void traceStep(player);
  update(line);
}

function update({ player, shown, timer, sentences, button, where, list }: Line): void {
  button.textContent = timer === null ? "Play it" : "Stop";
  where.textContent = shown === null ? "" : `${shown + 1} / ${sentences.length}`;
  player.svg.toggleAttribute("data-aside", player.aside);
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const move = shown === null ? null : list.children[shown]?.querySelector("button");
  move?.setAttribute("aria-current", "step");
  if (move) list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
}
