/** The types of openapi-typescript in the hands of openapi-fetch. */
import createClient from "openapi-fetch";
import type { components, paths } from "./generated";
import { eventData, type Seat, test, there } from "./player";

type Command = components["schemas"]["Command"];
const baseUrl = process.argv[2]!;

async function register(name: string): Promise<Seat<Command>> {
  const registered = await createClient<paths>({ baseUrl }).POST("/v1/players", { body: { name } });
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${there(registered.data).token.secret}` } });
  const of = (game_id: string) => ({ path: { game_id } });
  const open = async (body: components["schemas"]["Opening"]) => there((await api.POST("/v1/games", { body })).data).id;
  return {
    openKlondike: (deal) => open({ game_type: "klondike", deal }),
    openSpiteAndMalice: () => open({ game_type: "spite_and_malice", options: { stock: 3 } }),
    async join(game) {
      there((await api.POST("/v1/games/{game_id}/join", { params: of(game) })).data);
    },
    async status(game) {
      return there((await api.GET("/v1/games/{game_id}", { params: of(game) })).data).status;
    },
    async legal(game) {
      return there((await api.GET("/v1/games/{game_id}/legal-commands", { params: of(game) })).data);
    },
    async post(game, body, version) {
      const params = { ...of(game), header: { "If-Match": `"${version}"` } };
      there((await api.POST("/v1/games/{game_id}/commands", { params, body })).data);
    },
    async frames(game, cursor) {
      const params = { ...of(game), query: { cursor, limit: 25 } };
      const page = there((await api.GET("/v1/games/{game_id}/frames", { params })).data);
      if (typeof page === "string") throw new Error("frames as text, although JSON is the default");
      return { steps: page.frames.map((frame) => frame.step), next: page.next };
    },
    async record(game) {
      return there((await api.GET("/v1/games/{game_id}/record", { params: of(game), parseAs: "text" })).data);
    },
    async isConsistent(body) {
      const headers = { "Content-Type": "text/plain" };
      const bodySerializer = (text: string) => text;
      return there((await api.POST("/v1/records/verify", { body, headers, bodySerializer })).data).consistent;
    },
    async *follow(game) {
      const stream = await api.GET("/v1/games/{game_id}/events", { params: of(game), parseAs: "stream" });
      yield* eventData(there(stream.data));
    },
  };
}

void test(register);
