/** The page of one game: its replay, live while it goes on, and played by who has a seat. */

import { startAnalysis } from "./analysis.ts";
import { type Branch, apiSource, isOver } from "./api.ts";
import type { AnalysisReport, Faces, Frame, Game } from "./api_types.ts";
import { boardsOnPage } from "./board.ts";
import type { Bar } from "./chips.ts";
import "./check_proof.ts";
import type { Clock } from "./clock.ts";
import { startComforts } from "./comforts.ts";
import { startComments } from "./comments.ts";
import { companyFor } from "./company.ts";
import type { Built } from "./counsel.ts";
import { drawCourts } from "./courts.ts";
import type { ToldMoves } from "./frames.ts";
import { startFollowing } from "./live.ts";
import { htmlNode, loadCards, pageData } from "./markup.ts";
import type { LessonStep } from "./lesson.ts";
import type { Offers } from "./offers.ts";
import { startPlaying } from "./play.ts";
import { startPlayer } from "./player.ts";
import { applySettings, boardsFor, keptSettings } from "./settings.ts";
import { startSquares } from "./squares.ts";

/** Starts the page of this game in its root element; `data-signed-in` there says that somebody has a session. */
async function startGamePage(root: HTMLElement, id: string): Promise<void> {
  const faces = pageData<Faces>("kibitz-faces"), taps = pageData<Record<string, string>>("kibitz-taps");
  const boards = boardsOnPage(), bar = pageData<Bar>("kibitz-chips");
  const frame = pageData<Frame | null>("kibitz-frame"), clock = pageData<Clock>("kibitz-clock"), branches = pageData<Branch[]>("kibitz-branches");
  const moves = pageData<ToldMoves>("kibitz-moves");
  const settings = keptSettings(), { signedIn = null } = root.dataset, look = pageData<Game>("kibitz-look");
  const terms = { visitor: signedIn, withheld: "withheld" in root.dataset, undoes: "undoes" in root.dataset, autoplay: (root.dataset["autoplay"] ?? null) as Built | null };
  applySettings(settings);
  const setting = { faces, boards: boardsFor(settings, boards), ...bar, clock, branches };
  const source = await apiSource(id, setting, taps, look, "open" in root.dataset);
  await loadCards();
  if (settings["courts"] === "pictures") void drawCourts(true);
  let company = { update: () => {} };
  const player = await startPlayer(root, source, (begun) => {
    if (frame) begun.frames.add(begun.viewer, frame);
    begun.frames.tell(begun.viewer, moves);
    const bar = company = companyFor(begun, source, signedIn !== null);
    begun.panel.after(bar.node);
    bar.update();
  });
  const lesson = document.getElementById("kibitz-lesson") ? pageData<LessonStep[]>("kibitz-lesson") : null;
  const play = startPlaying(player, source, pageData<Offers>("kibitz-offers"), lesson !== null);
  startSquares(player);
  const changed = () => {
    company.update();
    play.look();
  };
  startComforts(player, source, play, terms, settings, boards);
  if (lesson) void import("./lesson.ts").then(({ startLesson }) => startLesson(player, play, lesson, terms.undoes));
  const { analysis, analysed } = root.dataset;
  const report = pageData<AnalysisReport | null>("kibitz-report");
  if (analysis) startAnalysis(player, source, { kind: analysis, report, asked: analysed !== undefined, signedIn: signedIn !== null });
  if (!terms.withheld) startComments(player, source, { visitor: signedIn, opener: "opener" in root.dataset, any: "commented" in root.dataset });
  if (!isOver(source.game)) startFollowing(player, source, changed);
  else if ("open" in root.dataset) player.frames.at(player.viewer, player.step + 1).catch(() => null); // compressed: see apiSource
}

const gameRoot = document.getElementById("kibitz");
if (gameRoot?.dataset["game"]) {
  const { game } = gameRoot.dataset;
  startGamePage(gameRoot, game).catch((failure: Error) => {
    gameRoot.replaceChildren(htmlNode("p", { role: "alert" }, failure.message));
  });
}
