/** The service, as one player or as nobody. */
import createClient, { type Client } from "openapi-fetch";
import { Game } from "./game.js";
import { each } from "./pages.js";
import { type Options, Transport } from "./transport.js";
import type { components, GameType, Look, Opening, paths, Registration, Verification } from "./types.js";

export type Api = Client<paths>;
type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? NonNullable<Q> : never;
type Schemas = components["schemas"];

export class Kibitz {
  /** Every operation, typed: `kibitz.api.GET("/v1/ladders/{game_type}", ...)`; what is refused is thrown. */
  readonly api: Api;
  /** Milliseconds before a second try. */
  readonly pause: number;
  private readonly transport: Transport;

  constructor(url: string, options: Options = {}) {
    this.transport = new Transport(options);
    this.pause = options.pause ?? 250;
    this.api = createClient<paths>({ baseUrl: url.replace(/\/+$/, ""), fetch: this.transport.fetch });
  }

  /** The token that is sent: of the player that was registered, or as given. */
  get token(): string | null {
    return this.transport.token;
  }

  /** Become a new player; from now on this is who speaks. */
  async register(name: string): Promise<Registration> {
    const { data } = await this.api.POST("/v1/players", { body: { name } });
    const registration = data as Registration;
    this.transport.token = registration.token.secret ?? null;
    return registration;
  }

  async open<O extends Opening>(opening: O): Promise<Game<O["game_type"]>> {
    const { data } = await this.api.POST("/v1/games", { body: opening });
    return new Game(this, data as Look<O["game_type"]>);
  }

  /** A game by its id; name its type if you know it: `kibitz.game<"golf">(id)`. */
  async game<K extends GameType = GameType>(game_id: string): Promise<Game<K>> {
    const { data } = await this.api.GET("/v1/games/{game_id}", { params: { path: { game_id } } });
    return new Game(this, data as Look<K>);
  }

  games(query: Query<"/v1/games"> = {}): AsyncGenerator<Schemas["GameEntry"], void> {
    return each(async (cursor) => {
      const { data } = await this.api.GET("/v1/games", { params: { query: { ...query, ...cursor } } });
      return { items: data!.games, next: data!.next };
    });
  }

  leagues(query: Query<"/v1/leagues"> = {}): AsyncGenerator<Schemas["LeagueEntry"], void> {
    return each(async (cursor) => {
      const { data } = await this.api.GET("/v1/leagues", { params: { query: { ...query, ...cursor } } });
      return { items: data!.leagues, next: data!.next };
    });
  }

  contests(query: Query<"/v1/contests"> = {}): AsyncGenerator<Schemas["Contest"], void> {
    return each(async (cursor) => {
      const { data } = await this.api.GET("/v1/contests", { params: { query: { ...query, ...cursor } } });
      return { items: data!.contests, next: data!.next };
    });
  }

  /** The games in which it is your turn. */
  inbox(): AsyncGenerator<Schemas["WaitingGame"], void> {
    return each(async (cursor) => {
      const { data } = await this.api.GET("/v1/inbox", { params: { query: cursor } });
      return { items: data!.games, next: data!.next };
    });
  }

  async verify(record: string): Promise<Verification> {
    const headers = { "Content-Type": "text/plain" };
    const bodySerializer = (text: string): string => text;
    const { data } = await this.api.POST("/v1/records/verify", { body: record, headers, bodySerializer });
    return data as Verification;
  }
}
