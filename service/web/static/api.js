/** The API as a page speaks it: the browser's session says who asks. */

/** An answer of 400 or more: its problem document's sentence, its status and its rule. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.rule = problem.rule ?? null;
  }
}

/** One request; resolves to {data, status}, throws a Refusal, or a TypeError where nobody answers. */
export async function ask(method, path, body = null, headers = {}) {
  const told = body === null ? headers : { "Content-Type": "application/json", ...headers };
  const said = body === null ? undefined : JSON.stringify(body);
  const answer = await fetch(path, { method, headers: told, body: said, credentials: "same-origin" });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, data);
  return { data, status: answer.status };
}

/** A viewer's key as parameters of a query. */
export function eyesOf(viewer) {
  if (viewer === "all") return { known: "now" };
  return viewer === "spectator" ? { spectator: "true" } : { seat: viewer.slice("seat-".length) };
}

/** A path of this game with these parameters. */
export function gamePath(id, rest = "", parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  return `/v1/games/${id}${rest}${query ? `?${query}` : ""}`;
}

/** The source of a player: a game read from the API, as far as the asker may see it. */
export async function apiSource(id, faces = {}, taps = {}) {
  const source = {
    faces, taps, game: null, viewers: [], viewer: null,
    refresh: async () => Object.assign(source, await looked(id)),
    steps: async (viewer) => {
      const beyond = { ...eyesOf(viewer), first: 2 ** 31 - 1, limit: 1 };
      return (await ask("GET", gamePath(id, "/frames", beyond))).data.steps;
    },
    frames: (viewer, first, last) => framesFrom(id, viewer, first, last),
    moments: async (viewer) => (await ask("GET", gamePath(id, "/moments", eyesOf(viewer)))).data.moments,
  };
  await source.refresh();
  return source;
}

async function framesFrom(id, viewer, first, last) {
  const range = { ...eyesOf(viewer), first, last, limit: 1000 };
  return (await ask("GET", gamePath(id, "/frames", range))).data.frames;
}

/** The game and who may look at it: one's own seats first, every seat and everything once it is over. */
async function looked(id) {
  const look = (await ask("GET", gamePath(id))).data;
  const players = look.seats.map(({ player }) => player?.name ?? null);
  const game = { ...look, players }, over = isOver(look);
  const seats = look.seats.map(({ seat }) => seat).filter((seat) => over || look.your_seats.includes(seat));
  const own = seats.toSorted((one, other) => look.your_seats.includes(other) - look.your_seats.includes(one));
  const seen = own.map((seat) => ({ key: `seat-${seat}`, label: seatLabel(game, seat) }));
  const viewers = [...seen, { key: "spectator", label: "Spectator" }];
  if (over) viewers.push({ key: "all", label: "All cards" });
  return { game, viewers, viewer: look.viewer === null ? "spectator" : `seat-${look.viewer}` };
}

/** Whether a game is over. */
export function isOver({ status }) {
  return status === "finished" || status === "voided";
}

function seatLabel({ players, your_seats: own }, seat) {
  const name = players[seat] ? ` (${players[seat]})` : "";
  return `Seat ${seat}${name}${own.includes(seat) ? ", yours" : ""}`;
}

/** Follows a game live; `heard` has frame(frame), end(reason), broken(), open(). Returns how to stop. */
export function follow(id, viewer, after, heard) {
  const stream = new EventSource(gamePath(id, "/events", { ...eyesOf(viewer), after }));
  stream.addEventListener("frame", (event) => heard.frame(JSON.parse(event.data)));
  stream.addEventListener("end", (event) => {
    stream.close();
    heard.end(JSON.parse(event.data).reason);
  });
  stream.addEventListener("open", () => heard.open());
  stream.addEventListener("error", () => heard.broken(stream.readyState === EventSource.CLOSED));
  return () => stream.close();
}
