/** The API as a page speaks it: the browser's session says who asks. */

import type { Analysis, Faces, Frame, FrameList, Game, Moment, MomentList, Result, Seat } from "./api_types.ts";
import type { ToldBoards } from "./board.ts";
import type { Bar } from "./chips.ts";
import type { Clock } from "./clock.ts";
import { seatName } from "./outcome.ts";
import type { Socket } from "./socket.ts";

/** An answer of 400 or more: its problem document's sentence, its status and its rule. */
export class Refusal extends Error {
  readonly rule: string | null;

  constructor(readonly status: number, problem: { detail?: string; rule?: string }) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.rule = problem.rule ?? null;
  }
}

/** Fields of a query; undefined leaves one out. */
export type Query = Record<string, string | number | boolean | undefined>;

/** Who looks, as the player lists it: `seat-0`, `spectator`, `all`, and the words for it. */
export interface ViewerChoice {
  key: string;
  label: string;
}

/** A game as the player shows it; one that is embedded tells how many seats there are, not who holds them. */
export interface ShownGame {
  id: string;
  status: string;
  seats: Seat[] | number;
  players: (string | null)[];
  result: Result | null;
  await_seeds?: boolean;
  your_seats?: number[];
}

/** A game that goes on from a step of another one; `by` is the name of who plays it. */
export interface Branch {
  step: number;
  game: string;
  by: string | null;
}

/** What a page tells of the game it shows: what its cards stand for, where its zones lie, the chips of its facts, its clock, its forks. */
export interface Setting extends Bar {
  clock: Clock;
  branches: Branch[];
  faces: Faces;
  boards: ToldBoards;
}

/** Where a player has its game from. `steps`: how many frames there are; `viewer`: who looks first. */
export interface Source extends Setting {
  game: ShownGame;
  viewers: ViewerChoice[];
  viewer: string;
  steps: (viewer: string) => Promise<number>;
  frames: (viewer: string, first: number, last: number) => Promise<Frame[]>;
  moments: (viewer: string) => Promise<Moment[]>;
}

/** A game on this server, which is asked with these `credentials`. `taps` say where commands without a place are tapped;
 * `socket`: undefined until one is asked for, null where none can be had. */
export interface ApiSource extends Source {
  game: Game & { players: (string | null)[] };
  taps: Record<string, string>;
  credentials: RequestCredentials;
  socket: Socket | null | undefined;
  refresh: () => Promise<void>;
}

/** One request; resolves to {data, status}, throws a Refusal, or a TypeError where nobody answers. */
export async function ask<Answer>(
  method: string, path: string, body: unknown = null, headers: Record<string, string> = {},
  credentials: RequestCredentials = "same-origin",
): Promise<{ data: Answer; status: number }> {
  const fields = body === null ? headers : { "Content-Type": "application/json", ...headers };
  const text = body === null ? undefined : JSON.stringify(body);
  const answer = await fetch(path, { method, headers: fields, body: text, credentials }).catch(() => {
    throw new TypeError("The server cannot be reached; try again.");
  });
  const data = await answer.json().catch(() => ({})) as Answer & { detail?: string; rule?: string };
  if (!answer.ok) throw new Refusal(answer.status, data);
  return { data, status: answer.status };
}

/** A viewer's key as parameters of a query. */
export function eyesOf(viewer: string): Query {
  if (viewer === "all") return { known: "now" };
  return viewer === "spectator" ? { spectator: true } : { seat: Number(viewer.slice("seat-".length)) };
}

/** A path of this game with these parameters. */
export function gamePath(id: string, rest = "", parameters: Query = {}): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return `/v1/games/${id}${rest}${query ? `?${query}` : ""}`;
}

/** The source of a player: a game read from the API, as far as the asker may see it; `look` is what the page has told
 * of it. What anybody may see of a game that is over is asked for without a name: such answers are compressed and kept. */
export async function apiSource(
  id: string, setting: Setting, taps: Record<string, string>, look: Promise<Game> | Game = newLook(id), open = false,
): Promise<ApiSource> {
  let newest: Promise<void> | null = null, counted = true;
  const begun = choicesOf(await look), over = isOver(begun.game), credentials = open && over ? "omit" : "same-origin";
  const source: ApiSource = {
    ...setting, taps, credentials, socket: undefined, ...begun,
    /** Looks at the game anew; whoever asked earlier waits for who asked last. */
    refresh: () => {
      const own: Promise<void> = newLook(id).then((found) => {
        if (own !== newest) return newest ?? undefined;
        Object.assign(source, choicesOf(found));
        return undefined;
      });
      return (newest = own);
    },
    /** The page has counted the steps of its own viewer, and of a game that is over those of all. */
    steps: async (viewer) => {
      const known = over || (counted && viewer === begun.viewer);
      counted = false;
      if (known) return setting.clock.times.length;
      const beyond = { ...eyesOf(viewer), first: 2 ** 31 - 1, limit: 1 };
      return (await ask<FrameList>("GET", gamePath(id, "/frames", beyond))).data.steps;
    },
    frames: (viewer, first, last) => framesFrom(id, viewer, first, last, credentials),
    moments: async (viewer) => {
      const path = gamePath(id, "/moments", eyesOf(viewer));
      return (await ask<MomentList>("GET", path, null, {}, credentials)).data.moments;
    },
  };
  return source;
}

async function framesFrom(
  id: string, viewer: string, first: number, last: number, credentials: RequestCredentials,
): Promise<Frame[]> {
  const range = { ...eyesOf(viewer), first, last, limit: 1000 };
  return (await ask<FrameList>("GET", gamePath(id, "/frames", range), null, {}, credentials)).data.frames;
}

async function newLook(id: string): Promise<Game> {
  return (await ask<Game>("GET", gamePath(id))).data;
}

/** The game and who may look at it: one's own seats first, every seat and everything once it is over. */
function choicesOf(look: Game): Pick<ApiSource, "game" | "viewers" | "viewer"> {
  const players = look.seats.map(({ player }) => player?.name ?? null);
  const game = { ...look, players }, over = isOver(look);
  const seats = look.seats.map(({ seat }) => seat).filter((seat) => over || look.your_seats.includes(seat));
  const own = seats.toSorted((one, other) => Number(look.your_seats.includes(other)) - Number(look.your_seats.includes(one)));
  const seen = own.map((seat) => ({ key: `seat-${seat}`, label: seatLabel(game, seat) }));
  const viewers = [...seen, { key: "spectator", label: "Spectator" }];
  if (over) viewers.push({ key: "all", label: "All cards" });
  return { game, viewers, viewer: look.viewer === null ? "spectator" : `seat-${look.viewer}` };
}

/** Whether a game is over. */
export function isOver({ status }: { status: string }): boolean {
  return status === "finished" || status === "voided";
}

function seatLabel(game: ApiSource["game"], seat: number): string {
  return `${seatName(game, seat)}${game.your_seats.includes(seat) ? ", you" : ""}`;
}

/** What is heard of a stream; `broken` tells whether the browser has given it up. */
export interface StreamHeard {
  frame: (frame: Frame) => void;
  end: (reason: string) => void;
  broken: (closed: boolean) => void;
  open: () => void;
}

/** Follows a game live. Returns how to stop. */
export function follow(id: string, viewer: string, after: number, heard: StreamHeard): () => void {
  const stream = new EventSource(gamePath(id, "/events", { ...eyesOf(viewer), after }));
  stream.addEventListener("frame", (event) => heard.frame(JSON.parse(event.data) as Frame));
  stream.addEventListener("end", (event) => {
    stream.close();
    heard.end((JSON.parse(event.data) as { reason: string }).reason);
  });
  stream.addEventListener("open", () => heard.open());
  stream.addEventListener("error", () => heard.broken(stream.readyState === EventSource.CLOSED));
  return () => stream.close();
}

/** Follows an analysis; what it came to in the end, or null where the stream is refused, ends early or is lost. */
export function hearAnalysis(id: string, heard: (news: Analysis) => void): Promise<Analysis | null> {
  return new Promise((resolve) => {
    const stream = new EventSource(gamePath(id, "/analysis"));
    const close = (last: Analysis | null) => {
      stream.close();
      resolve(last);
    };
    stream.addEventListener("analysis", (event) => {
      const news = JSON.parse(event.data) as Analysis;
      if (news.status !== "done") heard(news);
      else close(news);
    });
    for (const lost of ["end", "error"]) stream.addEventListener(lost, () => close(null));
  });
}
