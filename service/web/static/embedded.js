/** A replay whose game is in the page itself: it needs no server and no network. */

import { htmlNode } from "./markup.js";
import { startPlayer } from "./player.js";

/** The source of a player from embedded data: {game, faces, viewers: [{key, label, frames, moments}]}. */
export function embeddedSource({ game, faces, viewers }) {
  const byKey = new Map(viewers.map((viewer) => [viewer.key, viewer])), whole = new Map();
  const framesOfViewer = (key) => {
    if (!whole.has(key)) whole.set(key, wholeFrames(byKey.get(key).frames, game.id));
    return whole.get(key);
  };
  return {
    game, faces, viewers: viewers.map(({ key, label }) => ({ key, label })), viewer: viewers[0].key,
    steps: async (key) => byKey.get(key).frames.length,
    frames: async (key, first = 0, last = Infinity) => framesOfViewer(key).slice(first, last + 1),
    moments: async (key) => byKey.get(key).moments,
  };
}

/** Frames as the API tells them, of frames that have only the zones and the facts that changed. */
export function wholeFrames(frames, id) {
  let before = null;
  return frames.map((frame) => {
    before = frame.view === null ? null : wholeView(frame.view, before);
    return { ...frame, game_id: id, view: before };
  });
}

function wholeView(view, before) {
  if (before === null) return view;
  const changed = new Map(view.zones.map((zone) => [zone.id, zone]));
  const zones = before.zones.map((zone) => changed.get(zone.id) ?? zone);
  return { ...view, zones, facts: view.facts ?? before.facts };
}

/** Starts the player of the game that is embedded in this document. */
export async function startEmbedded(page) {
  const root = page.getElementById("kibitz");
  try {
    return await startPlayer(root, embeddedSource(JSON.parse(page.getElementById("kibitz-game").textContent)));
  } catch (failure) {
    root.replaceChildren(htmlNode("p", { role: "alert" }, `This replay cannot be shown: ${failure.message}`));
    throw failure;
  }
}

if (document.getElementById("kibitz-game")) startEmbedded(document);
