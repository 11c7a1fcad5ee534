// Players of that patience: `clients.mjs PORT CLIENTS`. Each line on stdin, a number of seconds, is answered by what they
// reached in that time; each client sends its next move when the server has told it of the last one.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(`${process.cwd()}/`);
const { io } = require("socket.io-client");
const [port, count] = process.argv.slice(2).map(Number);
let until = 0, latencies = [], wrong = 0;

function player(number) {
  const match = `match-${process.pid}-${number}`, socket = io(`http://127.0.0.1:${port}/patience`, { transports: ["websocket"] });
  const one = { socket, state: null, sent: 0, idle: true };
  one.move = () => {
    one.idle = false;
    one.sent = performance.now();
    const action = { type: "MAKE_MOVE", payload: { type: "draw", args: [], playerID: "0", credentials: undefined } };
    socket.emit("update", action, one.state, match, "0");
  };
  socket.on("connect", () => socket.emit("sync", match, "0", undefined, 1));
  socket.on("sync", (_, { state }) => { one.state = state._stateID; one.joined(); });
  socket.on("update", (_, state) => {
    const now = performance.now();
    if (state._stateID !== one.state + 1) wrong += 1;
    one.state = state._stateID;
    if (now <= until) latencies.push(now - one.sent);
    if (now < until) one.move();
    else one.idle = true;
  });
  one.ready = new Promise((done) => { one.joined = done; });
  return one;
}

const players = Array.from({ length: count }, (_, number) => player(number));
await Promise.all(players.map(({ ready }) => ready));
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const seconds = Number(line);
  latencies = [];
  until = performance.now() + 1000 * seconds;
  for (const one of players) if (one.idle) one.move();
  await new Promise((done) => setTimeout(done, 1000 * seconds + 200));
  const sorted = latencies.toSorted((a, b) => a - b), at = (share) => sorted[Math.floor(share * (sorted.length - 1))] ?? null;
  process.stdout.write(`${JSON.stringify({ accepted: latencies.length / seconds, p50: at(0.5), p99: at(0.99), wrong })}\n`);
}
process.exit(0);
