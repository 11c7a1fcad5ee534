/** Where was it lost: asked of a patience that is over, told under the strip, which is coloured by it. */

import { type ApiSource, Refusal, ask, gamePath, isOver } from "./api.ts";
import type { Analysis, AnalysisReport } from "./api_types.ts";
import { openFork } from "./company.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import { type Player, goTo, redraw } from "./player.ts";
import { judge } from "./timeline.ts";

const PAUSE = 1000;

/** Puts the question under the strip once the game is over; `asked`: somebody has asked before. */
export function startAnalysis(player: Player, source: ApiSource, signedIn: boolean, asked: boolean): void {
  const node = htmlNode("section", { class: "analysis", "aria-label": "Analysis", hidden: true });
  player.controls.node.append(node);
  const begin = (method: "GET" | "POST") => void follow(player, source, node, signedIn, method)
    .catch((failure: Error) => node.replaceChildren(htmlNode("p", { role: "status" }, failure.message), question()));
  const question = () => buttonNode(wordsFor(player, source), () => begin("POST"), { "data-do": "analyse" });
  const offer = () => {
    const over = isOver(source.game) || (player.frame && isOver(player.frame));
    if (!node.hidden || !over) return;
    node.hidden = false;
    if (asked) begin("GET");
    else node.replaceChildren(question());
  };
  player.listeners.push(offer);
  offer();
}

function wordsFor({ frame }: Player, { game }: ApiSource): string {
  return (game.result ?? frame?.result)?.ending === "won" ? "Could it be won in fewer moves?" : "Where was it lost?";
}

/** Asks, and looks again until it is done. */
async function follow(
  player: Player, { game }: ApiSource, node: HTMLElement, signedIn: boolean, method: "GET" | "POST",
): Promise<void> {
  const told = htmlNode("p", { role: "status" }, "Asking …");
  node.replaceChildren(told);
  let { data } = await ask<Analysis>(method, gamePath(game.id, "/analysis"), method === "POST" ? {} : null);
  while (data.report === null) {
    told.textContent = progressWords(data);
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    data = await ask<Analysis>("GET", gamePath(game.id, "/analysis")).then((answer) => answer.data, (failure: Error) => {
      if (failure instanceof Refusal) throw failure;
      return data; // the server cannot be reached: try again
    });
  }
  node.replaceChildren(...reportParts(player, game.id, data.report, signedIn));
  judge(player.timeline, data.report.spans);
  redraw(player);
}

function progressWords({ status, verdicts, expected }: Analysis): string {
  if (status === "queued") return "It waits for its turn …";
  return `The solver looks at its positions: ${verdicts} of about ${Math.max(expected, verdicts + 1)} …`;
}

function reportParts(player: Player, id: string, report: AnalysisReport, signedIn: boolean): HTMLElement[] {
  const lost = report.lost_step ?? report.undone.find((branch) => branch.lost_step !== null)?.lost_step ?? null;
  const good = report.outcome === "won" ? null : report.last_winnable_step;
  const buttons = htmlNode("div", { class: "analysis-buttons" });
  if (lost !== null) buttons.append(buttonNode("Jump to the loss", () => void goTo(player, lost), { "data-do": "loss" }));
  if (good !== null && signedIn) {
    const go = () => void openFork(id, good).catch((failure: Error) => player.tell(failure.message));
    buttons.append(buttonNode("Play on from the last good moment", go, { "data-do": "play-on" }));
  }
  const parts = [htmlNode("p", { role: "status" }, report.sentences.join(" ")), buttons];
  return report.line.length ? [...parts, lineOf(player, report)] : parts;
}

/** The winning line, move by move, from the step at which it begins. */
function lineOf(player: Player, { line, line_step: from }: AnalysisReport): HTMLElement {
  const begin = () => { if (node.open && from !== null) void goTo(player, from); };
  const node = htmlNode("details", { class: "line", toggle: begin }, htmlNode("summary", {}, "Show me"),
    htmlNode("ol", { tabindex: 0, "aria-label": "The winning line" }, ...line.map(({ sentence }) => htmlNode("li", {}, sentence))));
  return node;
}
