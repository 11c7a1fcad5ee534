/** What the packed client does against a real server; each check throws. */
import assert from "node:assert/strict";
import { InvalidRequest, Kibitz, NotFound, RuleRefused, Unauthenticated, Unreachable, VersionConflict } from "kibitz-client";

const url = process.argv[2];
const kibitz = new Kibitz(url);
await kibitz.register("Ada");
const { token } = kibitz;

// A command is sent again under its key when the answer is lost, and counts once.
const keys = [];
let lost = 1;
const losing = new Kibitz(url, {
  token,
  pause: 1,
  fetch: async (request) => {
    const answer = await fetch(request);
    if (request.method !== "POST") return answer;
    keys.push(request.headers.get("Idempotency-Key"));
    if (keys.length > 1 && lost-- > 0) throw new TypeError("lost");
    return answer;
  },
});
const game = await losing.open({ game_type: "klondike" });
const before = game.version;
const answer = await game.play({ type: "klondike/draw" });
assert.equal(keys.length, 3);
assert.equal(keys[1], keys[2]);
assert.notEqual(keys[0], keys[1]);
assert.equal((await game.refresh()).version, answer.version);
assert.equal(answer.frames.length, 1);

// What takes no key is not sent twice when nobody knows whether it was done.
let sent = 0;
const deaf = new Kibitz(url, { token, pause: 1, fetch: async () => ((sent += 1), Promise.reject(new TypeError("lost"))) });
await assert.rejects(deaf.register("Ben"), Unreachable);
assert.equal(sent, 1);
await assert.rejects(deaf.game(game.id), Unreachable);
assert.equal(sent, 6);

// 429 and 503 are waited for.
let busy = 2;
const patient = new Kibitz(url, {
  pause: 1,
  fetch: (request) => (busy-- > 0 ? Promise.resolve(new Response("{}", { status: busy ? 503 : 429 })) : fetch(request)),
});
assert.equal((await patient.game(game.id)).id, game.id);

// What takes no key is sent again after 429 alone, and nothing after a Retry-After past `longest`.
for (const [status, headers, times] of [[503, {}, 1], [429, {}, 5], [429, { "Retry-After": "76" }, 1]]) {
  let tried = 0;
  const refused = async () => ((tried += 1), new Response("{}", { status, headers }));
  await assert.rejects(new Kibitz(url, { pause: 1, fetch: refused }).register("Ben"), { status });
  assert.equal(tried, times, `${status}`);
}

// Problems are errors of their kinds.
await assert.rejects(game.play({ type: "klondike/draw" }, { version: before }), (error) => {
  return error instanceof VersionConflict && error.version === game.version && error.requestId !== null;
});
await assert.rejects(kibitz.game("00000000-0000-7000-8000-000000000000"), NotFound);
await assert.rejects(kibitz.open({ game_type: "klondike", options: { draw: 2 } }), (error) => {
  return error instanceof InvalidRequest && error.errors[0].pointer === "/options/draw";
});
await assert.rejects(new Kibitz(url, { token: "kbz_wrong" }).open({ game_type: "golf" }), Unauthenticated);

// A stream that breaks goes on after the last frame, and ends with the game.
let streams = 0;
const breaking = new Kibitz(url, {
  token,
  pause: 1,
  fetch: async (request) => {
    const got = await fetch(request);
    if (!request.url.includes("/events") || ++streams > 2) return got;
    let chunks = 0;
    const cut = new TransformStream({
      transform: (chunk, out) => (chunks++ ? out.error(new TypeError("cut")) : out.enqueue(chunk)),
    });
    return new Response(got.body.pipeThrough(cut), got);
  },
});
const followed = (async () => {
  const steps = [];
  for await (const frame of (await breaking.game(game.id)).follow()) steps.push(frame.step);
  return steps;
})();
for (let turn = 0; turn < 30; turn += 1) {
  const [command] = await game.legal();
  await game.play(command);
}
assert(!game.over);
await game.resign();
assert(game.over && game.look.status === "playing", "a command's frame says how the game stands");
assert((await game.refresh()).over);
const replayed = [];
for await (const frame of game.frames()) replayed.push(frame.step);
assert.deepEqual(replayed, [...replayed.keys()]);
assert.deepEqual(await followed, replayed);
assert(streams > 2, `${streams} streams`);
await assert.rejects(game.play({ type: "klondike/draw" }), (error) => error instanceof RuleRefused && error.rule !== null);
assert((await kibitz.verify(await game.record())).consistent);

// One's own writes are read, page by page.
const opened = new Set();
for (let turn = 0; turn < 5; turn += 1) opened.add((await kibitz.open({ game_type: "golf" })).id);
for await (const { id } of kibitz.games({ game_type: "golf", limit: 2 })) opened.delete(id);
assert.equal(opened.size, 0);
console.log("all of it");
