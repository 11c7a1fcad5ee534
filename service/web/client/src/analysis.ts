/** Where was it lost: asked of a game that is over, told under the strip; a patience's strip is coloured by it. */

import { type ApiSource, Refusal, ask, gamePath, hearAnalysis, isOver } from "./api.ts";
import type { Analysis, AnalysisReport, BridgeReport, CallWorth, PatienceReport, SeveralReport } from "./api_types.ts";
import { openFork } from "./company.ts";
import { traceStep } from "./hindsight.ts";
import { lineOf } from "./line.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import { namePlayers } from "./outcome.ts";
import { type Player, goTo, redraw, reveal } from "./player.ts";
import { judge } from "./timeline.ts";

const PAUSE = 1000, FURTHEST = 50_000_000;

/** `kind` of the report, which the page may have brought, or `deal`: of a game of nobody, made to ask about its deal;
 * `asked`: somebody has asked before. */
interface Manner {
  kind: string;
  report: AnalysisReport | null;
  asked: boolean;
  signedIn: boolean;
}

/** Puts the question under the strip once the game is over. */
export function startAnalysis(player: Player, source: ApiSource, { kind, report, asked, signedIn }: Manner): void {
  const node = htmlNode("section", { class: "analysis", "aria-label": "Analysis", hidden: true });
  player.controls.node[kind === "deal" ? "prepend" : "append"](node);
  const begin = (method: "GET" | "POST", body = {}) => void follow(player, source, node, method, body).then(tell)
    .catch((failure: Error) => node.replaceChildren(htmlNode("p", { role: "status" }, failure.message), question()));
  const question = () => buttonNode(wordsFor(kind, player, source), () => begin("POST"), { "data-do": "analyse" });
  const tell = (found: AnalysisReport) => {
    tellReport(player, source, node, signedIn, found);
    if (!found.complete || (found.kind === "patience" && found.outcome === "open")) {
      node.append(buttonNode("Look further", () => begin("POST", { bound: FURTHEST }), { "data-do": "further" }));
    }
  };
  const offer = () => {
    const over = isOver(source.game) || (player.frame && isOver(player.frame));
    if (!node.hidden || !over) return;
    node.hidden = false;
    if (report) tell(report);
    else if (asked) begin("GET");
    else node.replaceChildren(question());
  };
  player.listeners.push(offer);
  offer();
}

function wordsFor(kind: string, { frame }: Player, { game }: ApiSource): string {
  if (kind === "deal") return "Can it be won?";
  if (kind === "several") return "Which moves mattered?";
  if (kind === "bridge") return "What could it have brought?";
  return (game.result ?? frame?.result)?.ending === "won" ? "Could it be won in fewer moves?" : "Where was it lost?";
}

/** Asks, and follows the stream until the report is there; where that is lost, looks once and follows again. */
async function follow(
  player: Player, source: ApiSource, node: HTMLElement, method: "GET" | "POST", body: object,
): Promise<AnalysisReport> {
  const { game, credentials } = source, status = htmlNode("p", { role: "status" }, "Asking …"), path = gamePath(game.id, "/analysis");
  const look = () => ask<Analysis>("GET", path, null, {}, credentials);
  const lookAgain = async () => {
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    return look().then((answer) => answer.data, (failure: Error) => {
      if (failure instanceof Refusal) throw failure;
      return null; // the server cannot be reached
    });
  };
  node.replaceChildren(status);
  let { data } = await (method === "GET" ? look() : ask<Analysis>(method, path, body));
  while (data.report === null || data.status !== "done") {
    tellProgress(player, status, data);
    data = await hearAnalysis(game.id, (news) => tellProgress(player, status, news)) ?? await lookAgain() ?? data;
  }
  return data.report;
}

function tellReport(player: Player, source: ApiSource, node: HTMLElement, signedIn: boolean, report: AnalysisReport): void {
  node.replaceChildren(...reportParts(player, source, report, signedIn));
  document.querySelector(".heading .verdict")?.replaceChildren(report.sentences[0] ?? "");
  if (report.kind === "patience") judge(player.timeline, report.spans);
  redraw(player);
  void traceStep(player);
}

/** How far it has come in words, and on the strip what is known already. */
function tellProgress(player: Player, line: HTMLElement, { status, verdicts, expected, spans }: Analysis): void {
  const far = expected ? `: ${verdicts} of about ${Math.max(expected, verdicts + 1)} are judged` : "";
  line.textContent = status === "queued" ? "It waits for its turn …" : `Its positions are looked at${far} …`;
  if (!spans.length) return;
  judge(player.timeline, spans);
  redraw(player);
}

function reportParts(player: Player, source: ApiSource, report: AnalysisReport, signedIn: boolean): HTMLElement[] {
  const lines = report.kind === "patience" ? [...report.sentences, ...report.remarks ?? []] : report.sentences;
  const sentences = htmlNode("p", { role: "status" }, lines.map((line) => namePlayers(line, source.game)).join(" "));
  switch (report.kind) {
    case "patience": return [sentences, ...patienceParts(player, source, report, signedIn)];
    case "bridge": return [sentences, ...bridgeParts(player, report)];
    case "several": return [sentences, momentsOf(player, report)];
  }
}

function jumpTo(player: Player, words: string, step: number): HTMLElement {
  const jump = () => {
    reveal(player);
    void goTo(player, step);
  };
  return buttonNode(words, jump, { "data-do": "loss" });
}

/** A step for each of the largest swings. */
function momentsOf(player: Player, { moments }: SeveralReport): HTMLElement {
  const share = (one: number) => `${Math.round(100 * one)} %`;
  const words = moments.map(({ step, before, after }) => jumpTo(player, `Step ${step}: ${share(before)} → ${share(after)}`, step));
  return htmlNode("div", { class: "analysis-buttons" }, ...words);
}

/** The card that cost most, and a line for each hand. */
function bridgeParts(player: Player, { hands }: BridgeReport): HTMLElement[] {
  const cards = hands.flatMap((hand) => hand.cards)
    .sort((one, other) => (other.points ?? 0) - (one.points ?? 0) || other.tricks - one.tricks);
  const buttons = htmlNode("div", { class: "analysis-buttons" });
  if (cards[0]) buttons.append(jumpTo(player, "Jump to the card that cost most", cards[0].step));
  const lines = hands.map(({ hand, called, par, points, cards: costly }) => htmlNode("li", {},
    `Hand ${hand}: ${callWords(called)} brought ${points}, with perfect cards ${called.points}; `
    + `${callWords(par)} would have been worth ${par.points}. `
    + (costly.length ? `Cards: ${costly.map(({ card, tricks }) => `${card} −${tricks}`).join(", ")}.` : "No card cost a trick.")));
  return [buttons, htmlNode("details", { class: "line" }, htmlNode("summary", {}, "Hand by hand"), htmlNode("ol", {}, ...lines))];
}

function callWords({ level, strain }: CallWorth): string {
  return strain ? `${level}${strain}` : "a pass";
}

function patienceParts(player: Player, source: ApiSource, report: PatienceReport, signedIn: boolean): HTMLElement[] {
  const lost = report.lost_step ?? report.undone.find((branch) => branch.lost_step !== null)?.lost_step ?? null;
  const good = report.outcome === "won" ? null : report.last_winnable_step;
  const buttons = htmlNode("div", { class: "analysis-buttons" });
  if (lost !== null) buttons.append(jumpTo(player, "Jump to the loss", lost));
  if (good !== null && signedIn) {
    const go = () => void openFork(source.game.id, good).catch((failure: Error) => player.tell(failure.message));
    buttons.append(buttonNode(report.moves ? "Play on from the last good moment" : "Play this deal", go, { "data-do": "play-on" }));
  }
  return [buttons, ...lineOf(player, source, report)];
}
