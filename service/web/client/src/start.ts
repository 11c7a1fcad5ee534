/** The first script of a table's page: it asks for the page's own script once the words and the felt are painted.
 *
 * What that script weighs, and what it does, would keep a slow telephone waiting for what the page has brought with it. */

const PAINT_MOST = 3000;

/** When the page is painted; where nobody sees it, at once. */
function firstPaint(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((done) => {
    new PerformanceObserver(() => done()).observe({ type: "paint", buffered: true });
    setTimeout(done, PAINT_MOST);
  });
}

const puzzle = document.querySelector("#kibitz[data-puzzle]");
void firstPaint().then(() => (puzzle ? import("./puzzle.ts") : import("./game.ts")));
