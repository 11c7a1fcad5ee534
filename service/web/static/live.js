/** Following a game that goes on: new frames come to the player's viewer, whoever that is. */

import { follow, isOver } from "./api.js";
import { goOn, redraw } from "./player.js";

/** Follows until the game is over; `changed` is called when the game itself has: begun, or ended. */
export function startFollowing(player, source, changed) {
  const following = { player, source, changed, viewer: null, stop: () => {}, lost: false };
  player.listeners.push((what) => what === "viewer" && followViewer(following));
  followViewer(following);
}

async function followViewer(following) {
  const { player, source } = following, viewer = player.viewer;
  if (isOver(source.game) || viewer === following.viewer) return;
  following.stop();
  following.viewer = viewer;
  player.live = true;
  redraw(player);
  const newest = await player.frames.at(viewer, player.frames.steps(viewer) - 1);
  if (following.viewer !== viewer) return;
  following.stop = follow(source.game.id, viewer, newest?.version ?? 0, {
    frame: (frame) => heardFrame(following, viewer, frame), end: (reason) => ended(following, reason),
    open: () => found(following), broken: (closed) => lost(following, closed),
  });
}

async function heardFrame(following, viewer, frame) {
  const { player, source } = following;
  await goOn(player, viewer, frame);
  if (frame.status !== source.game.status) await reload(following);
}

/** The game has begun, or is over: who may look and what may be done is another matter now. */
async function reload({ player, source, changed }) {
  await source.refresh();
  Object.assign(player, { viewers: source.viewers, live: !isOver(source.game) });
  redraw(player);
  changed();
}

async function ended(following, reason) {
  following.viewer = null;
  following.player.live = false;
  if (reason === "access") following.player.tell("You may not look at this game from here any more.");
  await reload(following);
}

function found(following) {
  if (following.lost) following.player.tell("Connected again.");
  following.lost = false;
}

function lost(following, closed) {
  if (!following.lost) following.player.tell("The connection is lost; trying again.");
  following.lost = true;
  if (closed) setTimeout(() => Object.assign(following, { viewer: null }) && followViewer(following), 3000);
}
