/** A replay whose game is in the page itself: it needs no server and no network. */

import type { ShownGame, Source } from "./api.ts";
import type { Faces, Frame, Moment, View } from "./api_types.ts";
import { boardsOnPage } from "./board.ts";
import type { Bar } from "./chips.ts";
import { clockOf } from "./clock.ts";
import { buttonNode, htmlNode, pageData } from "./markup.ts";
import { type Player, seatOf, startPlayer } from "./player.ts";
import { applySettings, boardsFor, keptSettings, settingsDialog } from "./settings.ts";

/** A view that lacks the zones and the facts that are as they were. */
type ChangedView = Omit<View, "facts"> & Partial<Pick<View, "facts">>;
type ChangedFrame = Omit<Frame, "view"> & { view: ChangedView | null };

/** What the page holds: a game and who may look, each with frames and moments. */
interface Embedded {
  game: ShownGame;
  faces: Faces;
  viewers: { key: string; label: string; frames: ChangedFrame[]; moments: Moment[] }[];
}

/** The source of a player from embedded data. */
function embeddedSource({ game, faces, viewers }: Embedded): Source {
  const whole = new Map<string, Frame[]>();
  const held = (key: string) => viewers.find((viewer) => viewer.key === key);
  const framesOfViewer = (key: string) => {
    const frames = whole.get(key) ?? wholeFrames(held(key)?.frames ?? [], game.id);
    whole.set(key, frames);
    return frames;
  };
  return {
    game, faces, branches: [], clock: clockOf(viewers[0]?.frames ?? []), boards: boardsOnPage(), ...pageData<Bar>("kibitz-chips"),
    viewers: viewers.map(({ key, label }) => ({ key, label })), viewer: viewers[0]?.key ?? "spectator",
    steps: async (key) => held(key)?.frames.length ?? 0,
    frames: async (key, first, last) => framesOfViewer(key).slice(first, last + 1),
    moments: async (key) => held(key)?.moments ?? [],
  };
}

/** Frames as the API tells them, of frames that have only the zones and the facts that changed. */
function wholeFrames(frames: ChangedFrame[], id: string): Frame[] {
  let before: View | null = null;
  return frames.map((frame) => {
    before = frame.view === null ? null : wholeView(frame.view, before);
    return { ...frame, game_id: id, view: before };
  });
}

function wholeView(view: ChangedView, before: View | null): View {
  if (before === null) return { facts: {}, ...view };
  const changed = new Map(view.zones.map((zone) => [zone.id, zone]));
  const zones = before.zones.map((zone) => changed.get(zone.id) ?? zone);
  return { ...view, zones, facts: view.facts ?? before.facts };
}

/** The felt, the backs, the hand and so on, as beside a table that is played at; a replay has no sounds and fetches no pictures. */
function offerSettings(player: Player): void {
  const settings = keptSettings(), { boards } = player.source;
  const obey = () => {
    applySettings(settings);
    player.source.boards = boardsFor(settings, boards);
    if (player.frame?.view) player.table.draw(player.frame.view, { seat: seatOf(player.viewer) });
  };
  const dialog = settingsDialog(settings, obey, ["sounds", "courts", "safe"]);
  const button = buttonNode("Settings", () => dialog.showModal(), { class: "tool" });
  player.svg.parentElement?.prepend(htmlNode("div", { class: "tools" }, button, dialog));
  obey();
}

/** Starts the player of the game that is embedded in this document. */
async function startEmbedded(root: HTMLElement, data: string): Promise<void> {
  try {
    offerSettings(await startPlayer(root, embeddedSource(JSON.parse(data) as Embedded)));
  } catch (failure) {
    root.replaceChildren(htmlNode("p", { role: "alert" }, `This replay cannot be shown: ${(failure as Error).message}`));
    throw failure;
  }
}

const embeddedRoot = document.getElementById("kibitz"), embeddedGame = document.getElementById("kibitz-game");
if (embeddedRoot && embeddedGame) void startEmbedded(embeddedRoot, embeddedGame.textContent);
