/** Pages that go on by themselves: a countdown ticks, what is shown is renewed from the page's own address. */

import { renewPart } from "./renewing.ts";

const TRIES = [0, 1000, 4000]; // milliseconds after news: the tables are read models, which follow in a moment
const AGAIN = 5000; // milliseconds until a stream that the browser has given up is asked for again
let newest = 0;

/** Time left: `3 h 20 min 05 s`; of more than a day without seconds. */
export function timeLeft(milliseconds: number): string {
  const seconds = Math.max(Math.ceil(milliseconds / 1000), 0), minutes = Math.floor(seconds / 60);
  const days = Math.floor(minutes / 1440), hours = Math.floor(minutes / 60) % 24;
  const parts: [number, string][] = [[days, "d"], [hours, "h"], [minutes % 60, "min"]];
  const words = parts.slice(parts.findIndex(([number], at) => number > 0 || at === 2)).map(([number, unit]) => `${number} ${unit}`);
  return days ? words.join(" ") : `${words.join(" ")} ${String(seconds % 60).padStart(2, "0")} s`;
}

function tick(): void {
  for (const node of document.querySelectorAll<HTMLElement>("time[data-until]")) {
    node.textContent = timeLeft(Date.parse(node.dataset["until"] ?? "") - Date.now());
  }
}

/** Fetches this page again and takes over what has changed in its live parts; the last one asked for is taken. Where a form
 * was refused, the page has the form's address and names its own. */
async function renewPage(): Promise<void> {
  const turn = (newest += 1), own = live?.dataset["live"], path = own ? own + location.search : location.href;
  const answer = await fetch(path, { credentials: "same-origin" });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("[data-live]");
  const parts = document.querySelectorAll("[data-live]");
  if (!answer.ok || turn !== newest || parts.length !== fresh.length) return;
  parts.forEach((shown, at) => renewPart(shown, fresh[at] as Element));
  tick();
  await Promise.all([...document.querySelectorAll<HTMLImageElement>("[data-live] img[src*='/board.svg']")].map(renewPicture));
}

/** A picture of a table is drawn anew only where it has changed. */
async function renewPicture(picture: HTMLImageElement): Promise<void> {
  const path = picture.src.replace(/\?.*/, ""), answer = await fetch(path, { cache: "no-cache" });
  const tag = encodeURIComponent(answer.headers.get("ETag") ?? "");
  if (answer.ok && tag && !picture.src.endsWith(tag)) picture.src = `${path}?${tag}`;
}

/** Whoever cannot reach the server sees what was there, until the next time. */
function tryToRenew(): void {
  if (document.visibilityState === "visible") void renewPage().catch(() => undefined);
}

/** Says each event of the stream in its place, and renews the page; also once it is heard again after it was lost. */
function followStream(address: string, lost = false): void {
  const stream = new EventSource(address), news = document.querySelector("[data-news]");
  stream.addEventListener("open", () => {
    if (lost) tryToRenew();
    lost = false;
  });
  stream.addEventListener("error", () => {
    lost = true;
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => followStream(address, true), AGAIN);
  });
  stream.addEventListener("league_event", (event) => {
    if (news) news.textContent = (JSON.parse(event.data) as { summary: string }).summary;
    for (const wait of TRIES) setTimeout(tryToRenew, wait);
  });
}

const live = document.querySelector<HTMLElement>("[data-live]"), { follows, seconds } = live?.dataset ?? {};
if (follows) followStream(follows);
if (seconds) setInterval(tryToRenew, Number(seconds) * 1000);
document.addEventListener("visibilitychange", tryToRenew);
addEventListener("pageshow", ({ persisted }) => { if (persisted) tryToRenew(); });
if (document.querySelector("time[data-until]")) {
  tick();
  setInterval(tick, 1000);
}
