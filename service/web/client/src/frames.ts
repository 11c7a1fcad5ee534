/** The frames of one game through the eyes of several viewers: fetched in pages, few of them kept. */

import type { Source } from "./api.ts";
import type { Frame } from "./api_types.ts";
import { nameFrame, namePlayers } from "./outcome.ts";

const PAGE_FRAMES = 25, PAGES_KEPT = 40;

/** What is said of a step: of a frame, or of one that has not been asked for. */
export type Said = Pick<Frame, "step" | "live_step" | "sentences">;

/** What the page says of the steps from `first` on, so that nobody has to ask for their frames. */
export interface ToldMoves {
  first: number;
  moves: [live: number, ...sentences: string[]][];
}

/** A page of frames by their step, and the request that fills it. */
interface Page {
  frames: Map<number, Frame>;
  loading: Promise<void> | null;
}

export interface Frames {
  /** How many steps there are for this viewer, as far as is known. */
  steps: (viewer: string) => number;
  /** Asks how many there are. */
  count: (viewer: string) => Promise<number>;
  /** The frame of this step if it is here already. */
  known: (viewer: string, step: number) => Frame | null;
  at: (viewer: string, step: number) => Promise<Frame | null>;
  said: (viewer: string, step: number) => Promise<Said | null>;
  /** What the page has said, to this viewer. */
  tell: (viewer: string, told: ToldMoves) => void;
  /** A frame that came live. */
  add: (viewer: string, frame: Frame) => void;
}

/** The frames of this source. */
export function framesOf(source: Source): Frames {
  const pages = new Map<string, Page>(), told = new Map<string, number>(), said = new Map<string, Said>();
  const store: Frames = {
    steps: (viewer) => told.get(viewer) ?? 0,
    count: async (viewer) => {
      told.set(viewer, Math.max(await source.steps(viewer), store.steps(viewer)));
      return store.steps(viewer);
    },
    known: (viewer, step) => pages.get(pageKey(viewer, step))?.frames.get(step) ?? null,
    at: async (viewer, step) => store.known(viewer, step)
      ?? (await pageOf(source, pages, viewer, step, store.steps(viewer))).frames.get(step) ?? null,
    said: async (viewer, step) => store.known(viewer, step) ?? said.get(`${viewer} ${step}`) ?? await store.at(viewer, step),
    tell: (viewer, { first, moves }) => moves.forEach(([live, ...sentences], at) => said.set(`${viewer} ${first + at}`, {
      step: first + at, live_step: live, sentences: sentences.map((one) => namePlayers(one, source.game)),
    })),
    add: (viewer, frame) => {
      told.set(viewer, Math.max(frame.step + 1, store.steps(viewer)));
      const key = pageKey(viewer, frame.step), page = pages.get(key) ?? { frames: new Map<number, Frame>(), loading: null };
      pages.set(key, page);
      page.frames.set(frame.step, nameFrame(frame, source.game));
    },
  };
  return store;
}

function pageKey(viewer: string, step: number): string {
  return `${viewer} ${Math.floor(step / PAGE_FRAMES)}`;
}

/** The page of this step, its frames fetched once; what was used longest ago is dropped. */
async function pageOf(
  source: Source, pages: Map<string, Page>, viewer: string, step: number, steps: number,
): Promise<Page> {
  const key = pageKey(viewer, step), first = Math.floor(step / PAGE_FRAMES) * PAGE_FRAMES;
  const wanted = pages.get(key) ?? { frames: new Map<number, Frame>(), loading: null };
  pages.delete(key);
  pages.set(key, wanted);
  for (const oldest of pages.keys()) if (pages.size > PAGES_KEPT) pages.delete(oldest);
  const last = Math.min(first + PAGE_FRAMES, Math.max(steps, step + 1)) - 1;
  for (let missing; (missing = firstMissing(wanted, first, last)) !== null;) {
    wanted.loading ??= fill(source, wanted, viewer, missing, last).finally(() => { wanted.loading = null; });
    const before = wanted.frames.size;
    await wanted.loading;
    if (wanted.frames.size === before) break;
  }
  return wanted;
}

async function fill(source: Source, page: Page, viewer: string, first: number, last: number): Promise<void> {
  for (const frame of await source.frames(viewer, first, last)) {
    if (frame.step >= first && frame.step <= last) page.frames.set(frame.step, nameFrame(frame, source.game));
  }
}

function firstMissing({ frames }: Page, first: number, last: number): number | null {
  for (let step = first; step <= last; step += 1) if (!frames.has(step)) return step;
  return null;
}
