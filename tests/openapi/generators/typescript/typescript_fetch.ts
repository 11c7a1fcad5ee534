/** What openapi-generator makes for typescript-fetch. */
import {
  type Command, Configuration, GamesApi, LiveApi, type Opening, PlayApi, PlayersApi, RecordsApi, ReplayApi,
} from "./generated";
import { eventData, type Seat, test, there } from "./player";

const basePath = process.argv[2]!;

async function register(name: string): Promise<Seat<Command>> {
  const players = new PlayersApi(new Configuration({ basePath }));
  const accessToken = there((await players.registerPlayer({ nameBody: { name } })).token.secret);
  const me = new Configuration({ basePath, accessToken });
  const [games, play, replay, records] = [new GamesApi(me), new PlayApi(me), new ReplayApi(me), new RecordsApi(me)];
  const open = async (opening: Opening) => (await games.openGame({ opening })).id;
  return {
    openKlondike: (deal) => open({ gameType: "klondike", deal }),
    openSpiteAndMalice: () => open({ gameType: "spite_and_malice", options: { stock: 3 } }),
    async join(gameId) {
      await games.joinGame({ gameId });
    },
    async status(gameId) {
      return (await games.getGame({ gameId })).status;
    },
    legal: (gameId) => play.listLegalCommands({ gameId }),
    async post(gameId, command, version) {
      await play.postCommand({ gameId, command, ifMatch: `"${version}"` });
    },
    async frames(gameId, cursor) {
      const { frames, next } = await replay.listFrames({ gameId, cursor, limit: 25 });
      return { steps: frames.map((frame) => frame.step), next };
    },
    record: (gameId) => records.getRecord({ gameId }),
    async isConsistent(record) {
      return (await records.verifyRecord({ body: new Blob([record]) })).consistent;
    },
    async *follow(gameId) {
      yield* eventData(there((await new LiveApi(me).streamGameRaw({ gameId })).raw.body));
    },
  };
}

void test(register);
