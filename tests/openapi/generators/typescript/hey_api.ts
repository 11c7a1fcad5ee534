/** What @hey-api/openapi-ts makes. */
import {
  type Command, getGame, getRecord, joinGame, listFrames, listLegalCommands, openGame, type Opening, postCommand,
  registerPlayer, streamGame, verifyRecord,
} from "./generated";
import { createClient } from "./generated/client";
import { type Seat, test } from "./player";

const baseUrl = process.argv[2]!;

async function register(name: string): Promise<Seat<Command>> {
  const anybody = createClient({ baseUrl });
  const registered = await registerPlayer({ client: anybody, body: { name }, throwOnError: true });
  const auth = registered.data.token.secret ?? "";
  const client = createClient({ baseUrl, auth });
  const of = (game_id: string) => ({ client, path: { game_id }, throwOnError: true }) as const;
  const open = async (body: Opening) => (await openGame({ client, body, throwOnError: true })).data.id;
  return {
    openKlondike: (deal) => open({ game_type: "klondike", deal }),
    openSpiteAndMalice: () => open({ game_type: "spite_and_malice", options: { stock: 3 } }),
    async join(game) {
      await joinGame(of(game));
    },
    async status(game) {
      return (await getGame(of(game))).data.status;
    },
    async legal(game) {
      return (await listLegalCommands(of(game))).data;
    },
    async post(game, body, version) {
      await postCommand({ ...of(game), body, headers: { "If-Match": `"${version}"` } });
    },
    async frames(game, cursor) {
      const { data } = await listFrames({ ...of(game), query: { cursor, limit: 25 } });
      return { steps: data.frames.map((frame) => frame.step), next: data.next };
    },
    async record(game) {
      return (await getRecord({ ...of(game), parseAs: "text" })).data;
    },
    async isConsistent(record) {
      return (await verifyRecord({ client, body: new Blob([record]), throwOnError: true })).data.consistent;
    },
    async *follow(game) {
      yield* (await streamGame(of(game))).stream;
    },
  };
}

void test(register);
