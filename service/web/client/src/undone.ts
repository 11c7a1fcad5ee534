/** What was taken back and may be said again: told by the frames alone, so it holds for two windows on one seat, too. */

import type { Command, Frame } from "./api_types.ts";
import type { Player } from "./player.ts";

/** The command that was taken back last; null where there is none. */
export type Undone = () => Command | null;

/** Follows this player's game from the step that is its newest now; `changed`: what was taken back is here. */
export function followUndone(player: Player, changed: () => void): Undone {
  let steps: number[] = [], seen = player.frame, viewer = player.viewer;
  const known = (step: number) => player.frames.known(viewer, step);
  const newest = () => known(steps.at(-1) ?? -1)?.command ?? null;
  player.listeners.push(() => {
    if (viewer !== player.viewer || !seen) {
      [steps, seen, viewer] = [[], player.frame, player.viewer];
      return;
    }
    for (let frame = known(seen.step + 1); frame; frame = known(frame.step + 1)) {
      steps = undoneAfter(steps, newest(), seen.live_step, frame);
      seen = frame;
    }
    const wanted = steps.at(-1);
    if (wanted !== undefined && !known(wanted)) void player.frames.at(viewer, wanted).then(changed, () => null);
  });
  return newest;
}

/** The steps that are taken back after this frame; `taken`: the step that stood before it, `newest`: what was said at the
 * last of them. */
function undoneAfter(
  steps: number[], newest: Command | null, taken: number, { step, live_step: live, command }: Frame,
): number[] {
  if (live < step) return [...steps, taken];
  return command && newest && isSame(command, newest) ? steps.slice(0, -1) : [];
}

/** Whether two commands say the same. */
export function isSame(one: Command, other: Command | undefined): boolean {
  const said = (command: Command | undefined) => JSON.stringify(Object.entries(command ?? {}).sort());
  return said(one) === said(other);
}
