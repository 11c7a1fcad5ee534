/** One game: what one sees of it, says in it, and follows of it. */
import type { Api, Kibitz } from "./kibitz.js";
import { eventsOf } from "./events.js";
import { each } from "./pages.js";
import { sleep } from "./transport.js";
import type { Answer, Command, components, Frame, GameType, Legal, Look } from "./types.js";

export interface PlayOptions {
  /** The version that the command is meant for; null: however the game stands. Left out: the one last seen. */
  version?: number | null;
  /** The Idempotency-Key; left out: a new one, which all tries of this call share. */
  key?: string;
}
export interface FollowOptions {
  /** Go on after this version; left out: from the opening. */
  after?: number;
  signal?: AbortSignal;
}
const LONGEST_PAUSE = 10_000;

export class Game<K extends GameType = GameType> {
  readonly id: string;
  readonly type: K;
  private readonly api: Api;

  constructor(
    private readonly kibitz: Kibitz,
    /** The game as it was last looked at. */
    public look: Look<K>,
  ) {
    this.id = look.id;
    this.type = look.game_type as K;
    this.api = kibitz.api;
    this.version = look.version;
    this.newest = look;
  }

  /** The newest version that was seen here. */
  version: number;
  /** The newest that was seen: a look, or the frame of a command or of a stream. */
  newest: Look<K> | Frame<K>;

  get status(): Look["status"] {
    return this.newest.status;
  }

  get over(): boolean {
    return this.status === "finished" || this.status === "voided";
  }

  private get path(): { path: { game_id: string } } {
    return { path: { game_id: this.id } };
  }

  /** Look again. */
  async refresh(): Promise<this> {
    return this.saw((await this.api.GET("/v1/games/{game_id}", { params: this.path })).data);
  }

  async join(): Promise<this> {
    return this.saw((await this.api.POST("/v1/games/{game_id}/join", { params: this.path })).data);
  }

  private saw(look: Look | undefined): this {
    this.look = look as Look<K>;
    this.newest = this.look;
    this.version = this.look.version;
    return this;
  }

  private sawFrame(frame: Frame<K>): void {
    if (frame.version >= this.newest.version) this.newest = frame;
    this.version = Math.max(this.version, frame.version);
  }

  /** The moves that may be made now, all pages of them; none while another is to move. */
  async legal(): Promise<Command<K>[]> {
    const commands: Command<K>[] = [];
    const pages = each(async (query) => {
      const { data } = await this.api.GET("/v1/games/{game_id}/legal-commands", { params: { ...this.path, query } });
      const page = data as Legal<K>;
      this.version = page.version;
      return { items: page.commands as Command<K>[], next: page.next };
    });
    for await (const command of pages) commands.push(command);
    return commands;
  }

  /** Say a command; the answer has a frame for what it did. A rule's refusal is thrown as RuleRefused. */
  async play(command: Command<K>, options: PlayOptions = {}): Promise<Answer<K>> {
    const version = options.version === undefined ? this.version : options.version;
    const header = {
      ...(version === null ? {} : { "If-Match": `"${version}"` }),
      ...(options.key === undefined ? {} : { "Idempotency-Key": options.key }),
    };
    const params = { ...this.path, header };
    const body = command as components["schemas"]["Command"]; // of a game type that is not known here
    const { data } = await this.api.POST("/v1/games/{game_id}/commands", { params, body });
    const answer = data as Answer<K>;
    for (const frame of answer.frames as Frame<K>[]) this.sawFrame(frame);
    this.version = answer.version;
    return answer;
  }

  async resign(): Promise<Answer<K>> {
    return this.play({ type: "game/resign" } as Command<K>, { version: null });
  }

  /** Replay: every frame up to now, page by page. */
  frames(): AsyncGenerator<Frame<K>, void> {
    return each(async (query) => {
      const { data } = await this.api.GET("/v1/games/{game_id}/frames", { params: { ...this.path, query } });
      if (typeof data !== "object") throw new TypeError("frames came as text");
      return { items: data.frames as Frame<K>[], next: data.next };
    });
  }

  /** The whole game as text, one JSON document a line. */
  async record(): Promise<string> {
    const { data } = await this.api.GET("/v1/games/{game_id}/record", { params: this.path, parseAs: "text" });
    return data as string;
  }

  /** Every frame after `after`, then each as it happens, until the game is over. A broken stream goes on where it broke. */
  async *follow({ after = 0, signal }: FollowOptions = {}): AsyncGenerator<Frame<K>, void> {
    for (let broken = 0; ; broken += 1) {
      if (broken) await sleep(Math.min(this.kibitz.pause * 2 ** (broken - 1), LONGEST_PAUSE), signal);
      const query: { after: number } = { after };
      const asked = { params: { ...this.path, query }, parseAs: "stream" as const, ...(signal ? { signal } : {}) };
      const { data, response } = await this.api.GET("/v1/games/{game_id}/events", asked);
      if (response.status === 204 || !data) return;
      try {
        for await (const { event, data: told } of eventsOf(data)) {
          if (event === "end" && (told as { reason: string }).reason === "finished") return;
          if (event !== "frame") continue;
          const frame = told as Frame<K>;
          [after, broken] = [frame.version, 0];
          this.sawFrame(frame);
          yield frame;
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // a connection that broke
      }
    }
  }
}
