// boardgame.io's own server with one small patience: `server.mjs PORT [PG-SETTINGS]`, in memory or on PostgreSQL.
// Run in the folder of its packages: a script elsewhere finds them by that.
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`);
const { Server, Origins } = require("boardgame.io/server");
const [port, settings] = process.argv.slice(2);

const SUITS = ["s", "h", "d", "c"], RANKS = [..."A23456789TJQK"];
const patience = {
  name: "patience",
  setup: ({ random }) => ({
    stock: random.Shuffle(SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit))), waste: [], foundations: {},
  }),
  moves: {
    draw: ({ G }) => {
      if (G.stock.length === 0) [G.stock, G.waste] = [G.waste.reverse(), []];
      else G.waste.push(G.stock.pop());
    },
  },
};

let db;
if (settings) {
  const { PostgresStore } = require("bgio-postgres");
  db = new PostgresStore({ ...JSON.parse(settings), dialect: "postgres", logging: false });
}
const server = Server({ games: [patience], origins: [Origins.LOCALHOST], ...(db && { db }) });
await server.run({ port: Number(port), callback: () => process.stdout.write("ready\n") });
