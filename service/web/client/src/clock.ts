/** The clock of a game: when each step was made, and from which seat. */

import type { Frame } from "./api_types.ts";

const SHORTEST_PAUSE = 250, LONGEST_PAUSE = 2000;

/** By step: seconds since the first one, and whose step it was (null: nobody's, such as the deal); `dealt`: the step of the deal. */
export interface Clock {
  opened: number;
  dealt: number;
  times: number[];
  seats: (number | null)[];
}

/** The clock that these frames, from the first one on, tell. */
export function clockOf(frames: (Pick<Frame, "step" | "time" | "seat"> & { view: unknown })[]): Clock {
  const dealt = Math.max(frames.findIndex(({ view }) => view !== null), 0);
  const clock: Clock = { opened: secondsOf(frames[0]?.time ?? ""), dealt, times: [], seats: [] };
  for (const frame of frames) note(clock, frame);
  return clock;
}

/** Adds a step that has just been made. */
export function note(clock: Clock, { step, time, seat }: Pick<Frame, "step" | "time" | "seat">): void {
  clock.times[step] = secondsOf(time) - clock.opened;
  clock.seats[step] = seat ?? null;
}

/** When this step was made, in seconds since 1970. */
export function timeOf({ opened, times }: Clock, step: number): number {
  return opened + (times[step] ?? 0);
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}

/** The seconds that passed before this step was made; 0 where that is not known. */
export function spentOn({ times }: Clock, step: number): number {
  return Math.max((times[step] ?? 0) - (times[step - 1] ?? times[step] ?? 0), 0);
}

/** Milliseconds that a replay waits before this step: as long as its players did, within what one likes to wait. */
export function pauseBefore(clock: Clock, step: number): number {
  return Math.min(Math.max(1000 * spentOn(clock, step), SHORTEST_PAUSE), LONGEST_PAUSE);
}

/** Seconds as people say them: `4 s`, `2 min`, `3 h`. */
export function spanWords(seconds: number): string {
  if (seconds < 99.5) return `${seconds < 9.5 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
