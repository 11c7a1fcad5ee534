/** What was taken back and may be said again: told by the frames alone, so it holds for two windows on one seat, too. */

import type { Command, Frame } from "./api_types.ts";
import type { Player } from "./player.ts";

/** The command that was taken back last; null where there is none. */
export type Undone = () => Command | null;

/** Follows this player's game from the step that is its newest now. */
export function followUndone(player: Player): Undone {
  let commands: Command[] = [], seen = player.frame, viewer = player.viewer;
  const before = (step: number) => player.frames.known(viewer, step);
  player.listeners.push(() => {
    if (viewer !== player.viewer || !seen) {
      [commands, seen, viewer] = [[], player.frame, player.viewer];
      return;
    }
    for (let frame = before(seen.step + 1); frame; frame = before(frame.step + 1)) {
      commands = undoneAfter(commands, before(seen.live_step)?.command ?? null, frame);
      seen = frame;
    }
  });
  return () => commands.at(-1) ?? null;
}

/** What is taken back after this frame; `taken`: the command whose step stood before it. */
export function undoneAfter(commands: Command[], taken: Command | null, { step, live_step: live, command }: Frame): Command[] {
  if (live < step) return taken ? [...commands, taken] : [];
  return command && isSame(command, commands.at(-1)) ? commands.slice(0, -1) : [];
}

/** Whether two commands say the same. */
export function isSame(one: Command, other: Command | undefined): boolean {
  const said = (command: Command | undefined) => JSON.stringify(Object.entries(command ?? {}).sort());
  return said(one) === said(other);
}
