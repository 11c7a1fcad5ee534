/** Asking again where nobody answers: a lost line and a server that restarts pass. */

import { Refusal } from "./api.ts";

const FIRST = 250, LONGEST = 4000, PASSING = [429, 502, 503, 504];

/** What `work` comes to in the end; `missed` hears of each time that nobody answered, and nothing is tried again once it is
 * not `wanted` any more. Whether the server was reached is not known, so what changes something needs a key. */
export async function untilAnswered<Answer>(
  work: () => Promise<Answer>, missed: () => void, wanted: () => boolean = () => true,
): Promise<Answer> {
  for (let wait = FIRST; ; wait = Math.min(2 * wait, LONGEST)) {
    try {
      return await work();
    } catch (failure) {
      if (!isPassing(failure) || !wanted()) throw failure;
      missed();
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

function isPassing(failure: unknown): boolean {
  return failure instanceof Refusal ? PASSING.includes(failure.status) : failure instanceof TypeError;
}
