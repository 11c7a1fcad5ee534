/** In the replay of a game that is over: the move of the step that is shown, and beside the lost one the missed one. */

import { isOver } from "./api.ts";
import type { View } from "./api_types.ts";
import type { Player } from "./player.ts";
import type { Trace } from "./traces.ts";

/** The move that would still have won, in words; it is shown at the steps before and after the one that lost. */
export interface Missed {
  steps: number[];
  words: string;
  /** The tables before and after it, as this viewer sees them; null: they cannot be had. */
  views: (viewer: string) => Promise<[View, View] | null>;
}

/** From now on the step that is shown has its move drawn over the table. */
export function traceMoves(player: Player): void {
  player.listeners.push((what) => { if (what === "frame") void traceStep(player); });
}

/** Draws the move of the step that is shown. */
export async function traceStep(player: Player): Promise<void> {
  const { frame, viewer, missed, source } = player;
  if (!frame || !isOver(source.game)) return;
  const [played, better] = await Promise.all([
    playedAt(player, frame.step), missed?.steps.includes(frame.step) ? missed.views(viewer) : null,
  ]).catch(() => [null, null]);
  if (player.frame !== frame || player.viewer !== viewer || player.missed !== missed || player.aside) return;
  const arrows: Trace[] = better && missed ? [{ kind: "missed", before: better[0], after: better[1], words: missed.words }] : [];
  player.table.trace([...(played ? [played] : []), ...arrows]);
}

async function playedAt({ frames, viewer, frame }: Player, step: number): Promise<Trace | null> {
  const before = step > 0 ? await frames.at(viewer, step - 1) : null;
  return before?.view && frame?.view ? { kind: "played", before: before.view, after: frame.view, words: null } : null;
}
