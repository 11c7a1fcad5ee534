/** Following a game that goes on: new frames come to the player's viewer, whoever that is. */

import { type ApiSource, Refusal, type StreamHeard, ask, follow, gamePath, isOver } from "./api.ts";
import type { Frame } from "./api_types.ts";
import { htmlNode } from "./markup.ts";
import { type Player, goOn, redraw } from "./player.ts";
import { followOver, socketOf } from "./socket.ts";
import { renewState, showsEachStep } from "./state.ts";

/** Whose stream is open (`viewer`), how to stop it, how many there were, and whether it is lost just now. */
interface Following {
  player: Player;
  source: ApiSource;
  changed: () => void;
  viewer: string | null;
  stop: () => void;
  turn: number;
  lost: boolean;
}

/** Follows until the game is over; `changed` is called when the game itself has: begun, or ended. */
export function startFollowing(player: Player, source: ApiSource, changed: () => void): void {
  const following: Following = { player, source, changed, viewer: null, stop: () => {}, turn: 0, lost: false };
  player.listeners.push((what) => { if (what === "viewer") void followViewer(following); });
  void followViewer(following);
}

async function followViewer(following: Following): Promise<void> {
  const { player, source } = following, viewer = player.viewer;
  if (isOver(source.game) || viewer === following.viewer) return;
  following.stop();
  const turn = (following.turn += 1);
  Object.assign(following, { viewer, stop: () => {} });
  player.live = true;
  redraw(player);
  const newest = await player.frames.at(viewer, player.frames.steps(viewer) - 1).catch(() => undefined);
  if (turn !== following.turn) return;
  if (newest === undefined) return lost(following, true);
  const socket = await socketOf(source);
  if (turn !== following.turn) return;
  const heard: StreamHeard = {
    frame: (frame) => {
      found(following);
      void heardFrame(following, viewer, frame);
    },
    end: (reason) => void ended(following, reason),
    open: () => found(following), broken: (closed) => lost(following, closed),
  };
  const again = socket && following.lost && newest ? 1 : 0; // the newest frame once more: a socket answers with nothing else
  const { id } = source.game, after = (newest?.version ?? 0) - again;
  following.stop = socket ? followOver(socket, id, viewer, after, heard) : follow(id, viewer, after, heard);
}

async function heardFrame(following: Following, viewer: string, frame: Frame): Promise<void> {
  const { player, source } = following;
  const begun = source.game.status === "waiting" && frame.status === "playing";
  if (begun) await source.refresh(); // names of who has sat down
  const changed = begun || frame.status !== source.game.status;
  await goOn(player, viewer, frame);
  if (changed) await reload(following);
  else if (frame.status === "waiting" || showsEachStep()) void renewState();
}

/** The game has begun, or is over: who may look and what may be done is another matter now. */
async function reload({ player, source, changed }: Following): Promise<void> {
  await source.refresh();
  Object.assign(player, { viewers: source.viewers, live: !isOver(source.game) });
  redraw(player);
  changed();
  void renewState();
}

async function ended(following: Following, reason: string): Promise<void> {
  const { player } = following;
  following.viewer = null;
  player.live = false;
  if (reason === "access") player.tell("You may not look at this game from here any more.");
  const failure = await reload(following).catch((failed: unknown) => failed);
  if (failure) return void tellSessionOver(following, failure);
  if (player.viewers.some(({ key }) => key === player.viewer)) await followViewer(following);
}

/** Whether the session was ended elsewhere, which is told: nothing is answered any more until somebody signs in. */
function tellSessionOver({ player, source, changed }: Following, failure: unknown): boolean {
  if (!(failure instanceof Refusal) || failure.status !== 401) return false;
  player.live = false;
  source.game.your_seats = [];
  redraw(player);
  changed();
  player.tell("Your session is over.", htmlNode("a", { href: `/sign-in?back=/games/${source.game.id}` }, "Sign in again"));
  return true;
}

function found(following: Following): void {
  if (following.lost) following.player.tell("Connected again.");
  following.lost = false;
}

function lost(following: Following, closed: boolean): void {
  if (!following.lost) following.player.tell("The connection is lost; trying again.");
  following.lost = true;
  if (closed) setTimeout(() => void followAgain(following), 3000);
}

async function followAgain(following: Following): Promise<void> {
  const failure = await ask("GET", gamePath(following.source.game.id)).catch((failed: unknown) => failed);
  if (tellSessionOver(following, failure)) return;
  following.viewer = null;
  await followViewer(following);
}
