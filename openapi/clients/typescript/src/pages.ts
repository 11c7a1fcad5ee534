/** The items of all pages, each page asked for when it is needed; for any list that has a cursor. */
export async function* each<T>(
  ask: (cursor: { cursor?: string }) => Promise<{ items: T[]; next: string | null }>,
): AsyncGenerator<T, void> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items, next } = await ask(cursor === undefined ? {} : { cursor });
    yield* items;
    cursor = next;
  }
}
