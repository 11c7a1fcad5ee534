/** The frames of one game through the eyes of several viewers: fetched in pages, few of them kept. */

const PAGE_FRAMES = 200, PAGES_KEPT = 12;

/** Frames of this source: {at(viewer, step), range, known, steps, add, forget}; promises, except `known`. */
export function framesOf(source) {
  const pages = new Map(), told = new Map();
  const store = {
    /** How many steps there are for this viewer, as far as is known. */
    steps: (viewer) => told.get(viewer) ?? 0,
    /** Asks how many there are: of a source that does not tell, all are read. */
    count: async (viewer) => {
      const steps = source.steps ? await source.steps(viewer) : (await source.frames(viewer)).length;
      told.set(viewer, Math.max(steps, store.steps(viewer)));
      return store.steps(viewer);
    },
    /** The frame of this step if it is here already. */
    known: (viewer, step) => held(pages, viewer, step)?.get(step) ?? null,
    at: async (viewer, step) => (await page(source, pages, viewer, step, store.steps(viewer))).get(step) ?? null,
    /** A frame that came live. */
    add: (viewer, frame) => {
      told.set(viewer, Math.max(frame.step + 1, store.steps(viewer)));
      held(pages, viewer, frame.step)?.set(frame.step, frame);
    },
  };
  return store;
}

function pageKey(viewer, step) {
  return `${viewer} ${Math.floor(step / PAGE_FRAMES)}`;
}

function held(pages, viewer, step) {
  return pages.get(pageKey(viewer, step));
}

/** The page of this step, its frames fetched once; what was used longest ago is dropped. */
async function page(source, pages, viewer, step, steps) {
  const key = pageKey(viewer, step), first = Math.floor(step / PAGE_FRAMES) * PAGE_FRAMES;
  const wanted = pages.get(key) ?? new Map();
  pages.delete(key);
  pages.set(key, wanted);
  if (pages.size > PAGES_KEPT) pages.delete(pages.keys().next().value);
  const last = Math.min(first + PAGE_FRAMES, Math.max(steps, step + 1)) - 1;
  while (firstMissing(wanted, first, last) !== null) {
    wanted.loading ??= fill(source, wanted, viewer, first, last).finally(() => { wanted.loading = null; });
    const before = wanted.size;
    await wanted.loading;
    if (wanted.size === before) break;
  }
  return wanted;
}

async function fill(source, page, viewer, first, last) {
  const frames = await source.frames(viewer, firstMissing(page, first, last), last);
  for (const frame of frames) if (frame.step >= first && frame.step < first + PAGE_FRAMES) page.set(frame.step, frame);
}

function firstMissing(page, first, last) {
  for (let step = first; step <= last; step += 1) if (!page.has(step)) return step;
  return null;
}
