/** Plays, replays and streams two games through whatever client was generated: what it must be able to do, and the test. */
import { readFileSync } from "node:fs";

export interface Command {
  type: string;
  source?: unknown;
}
export interface Legal<C> {
  version: number;
  commands: readonly C[];
}
/** One registered player, who speaks with a token. */
export interface Seat<C> {
  openKlondike(deal: string[]): Promise<string>;
  openSpiteAndMalice(): Promise<string>;
  join(game: string): Promise<void>;
  status(game: string): Promise<string>;
  legal(game: string): Promise<Legal<C>>;
  post(game: string, command: C, version: number): Promise<void>;
  /** The numbers of the steps of a page, the first one without a cursor, and the next one's cursor. */
  frames(game: string, cursor?: string): Promise<{ steps: number[]; next: string | null }>;
  record(game: string): Promise<string>;
  isConsistent(record: string): Promise<boolean>;
  /** The data of each event of the stream, read. */
  follow(game: string): AsyncIterable<unknown>;
}

const WON_KLONDIKE: { deal: string[]; picks: number[] } = JSON.parse(readFileSync("won_klondike.json", "utf8"));
const LONGEST = 600;

/** Say each achievement in a line; whatever goes wrong is thrown. */
export async function test<C extends Command>(register: (name: string) => Promise<Seat<C>>): Promise<void> {
  const [ada, ben] = [await register("Ada"), await register("Ben")];
  const klondike = await ada.openKlondike(WON_KLONDIKE.deal);
  const patience = collect(ada.follow(klondike));
  const alone = await playLine(ada, klondike, WON_KLONDIKE.picks);
  const table = await ada.openSpiteAndMalice();
  await ben.join(table);
  const watched = collect(ben.follow(table));
  const together = await playToEnd([ada, ben], table);
  console.log(`plays: Klondike ${alone} commands, Spite & Malice ${together}`);
  const replays = [await replay(ada, klondike), await replay(ben, table)];
  console.log(`replays: ${replays.join(" and ")} frames, both records verified`);
  const streams = [stepsOf(await patience), stepsOf(await watched)];
  check(String(streams) === String(replays), `${streams} frames streamed, ${replays} replayed`);
  console.log(`streams: ${streams.join(" and ")} frames, to the end`);
}

/** The number of commands: for each the place of the chosen one among the legal ones. The last one wins. */
async function playLine<C>(seat: Seat<C>, game: string, picks: number[]): Promise<number> {
  for (const pick of picks) {
    const legal = await seat.legal(game);
    await seat.post(game, there(legal.commands[pick]), legal.version);
  }
  await checkFinished(seat, game);
  return picks.length;
}

/** The number of commands. */
async function playToEnd<C extends Command>(seats: Seat<C>[], game: string): Promise<number> {
  let commands = 0;
  for (let before = -1; before < commands && commands < LONGEST; ) {
    before = commands;
    for (const seat of seats) {
      for (;;) {
        const legal = await seat.legal(game);
        const chosen = choose(legal.commands);
        if (chosen === undefined) break;
        await seat.post(game, chosen, legal.version);
        commands += 1;
      }
    }
  }
  await checkFinished(seats[0]!, game);
  return commands;
}

async function checkFinished<C>(seat: Seat<C>, game: string): Promise<void> {
  const status = await seat.status(game);
  check(status === "finished", `the game is ${status}`);
}

/** From one's stock rather than from the hand, and either rather than anything else. */
function choose<C extends Command>(commands: readonly C[]): C | undefined {
  const own = commands.filter((one) => !one.type.startsWith("game/"));
  const fromStock = own.find((one) => one.type.endsWith("/play") && String(one.source).startsWith("stock"));
  return fromStock ?? own.find((one) => one.type.endsWith("/play")) ?? own[0];
}

/** The number of frames; the record is verified, too. */
async function replay<C>(seat: Seat<C>, game: string): Promise<number> {
  const steps: number[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    const page = await seat.frames(game, next);
    steps.push(...page.steps);
    next = page.next;
  }
  check(steps.every((step, place) => step === place), `the replay has the steps ${steps}`);
  check(await seat.isConsistent(await seat.record(game)), "the record has faults");
  return steps.length;
}

async function collect(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const event of events) found.push(event);
  return found;
}

/** The number of frames of a stream that has ended because the game did. */
function stepsOf(events: unknown[]): number {
  const [end, frames] = [events.at(-1) as { reason: string }, events.slice(0, -1) as { step: number }[]];
  check(end.reason === "finished", `the stream ended with ${JSON.stringify(end)}`);
  check(frames.every((frame, place) => frame.step === place), "the stream left a step out");
  return frames.length;
}

function check(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

/** What a client returned, which types allow to be absent. */
export function there<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error("there is nothing in the answer");
  return value;
}

/** The data of server-sent events, for clients that give a stream as bytes. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").filter((line) => line.startsWith("data:"));
      if (data.length) yield JSON.parse(data.map((line) => line.slice(5)).join("\n"));
    }
  }
}
