/** A `fetch` that tries again, says who asks, writes under a key, and reads its own writes. */
import { errorOf, secondsToWait, Unreachable } from "./problems.js";

export interface Options {
  token?: string;
  /** How often one request is sent at most. */
  tries?: number;
  /** Milliseconds before the second try, doubled for each further one. */
  pause?: number;
  /** Seconds of a Retry-After that are waited for at most, a minute's quota among them; what names more is thrown at once. */
  longest?: number;
  fetch?: typeof globalThis.fetch;
}

/** Writes that pass over a key, or where their paths begin: tried again only after 429, which says that nothing was done. */
const KEYLESS = [
  "POST /oauth/", "POST /v1/players", "DELETE /v1/players/me", "POST /v1/records/verify",
  "POST /v1/games/{game_id}/analysis", "POST /v1/puzzles/", "POST /v1/puzzle-runs", "POST /v1/deals",
];
const NOT_DONE = 429;
const PASSING = [NOT_DONE, 503];

export class Transport {
  token: string | null;
  private position = 0n;
  private readonly tries: number;
  private readonly pause: number;
  private readonly longest: number;
  private readonly send: typeof globalThis.fetch;

  constructor(options: Options) {
    this.token = options.token ?? null;
    this.tries = options.tries ?? 5;
    this.pause = options.pause ?? 250;
    this.longest = options.longest ?? 75;
    this.send = options.fetch ?? ((request) => globalThis.fetch(request));
  }

  /** The answer of success; any other is thrown as its error. */
  readonly fetch = async (asked: Request): Promise<Response> => {
    const request = this.prepare(asked);
    const harmless = request.method === "GET" || request.headers.has("Idempotency-Key");
    for (let attempt = 1; ; attempt += 1) {
      const wait = this.pause * 2 ** (attempt - 1);
      try {
        const answer = await this.send(request.clone());
        if (answer.ok) return this.remember(answer);
        const wish = secondsToWait(answer) ?? 0;
        const isWorthIt = harmless ? PASSING.includes(answer.status) : answer.status === NOT_DONE;
        if (!isWorthIt || attempt >= this.tries || wish > this.longest) throw await errorOf(answer);
        await answer.body?.cancel();
        await sleep(Math.max(wait, 1000 * wish), request.signal);
      } catch (error) {
        // `fetch` throws a TypeError where no answer came: whether anything was done is not known then.
        if (!(error instanceof TypeError)) throw error;
        if (!harmless || attempt >= this.tries) throw new Unreachable(`no answer from ${request.url}`, { cause: error });
        await sleep(wait, request.signal);
      }
    }
  };

  private prepare(request: Request): Request {
    const { headers } = request;
    if (this.token !== null) headers.set("Authorization", `Bearer ${this.token}`);
    if (request.method === "GET") {
      if (this.position && !headers.has("Min-Log-Position")) headers.set("Min-Log-Position", String(this.position));
    } else if (!headers.has("Idempotency-Key") && takesKey(request.method, new URL(request.url).pathname)) {
      headers.set("Idempotency-Key", crypto.randomUUID());
    }
    return request;
  }

  private remember(answer: Response): Response {
    const position = BigInt(answer.headers.get("Log-Position") ?? 0);
    if (position > this.position) this.position = position;
    return answer;
  }
}

/** Whether this write takes an Idempotency-Key. */
function takesKey(method: string, path: string): boolean {
  const write = `${method} ${path.replace(/(?<=\/games\/)[^/]+/, "{game_id}")}`;
  return !KEYLESS.some((one) => (one.endsWith("/") ? write.startsWith(one) : write === one));
}

export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => (clearTimeout(timer), reject(signal?.reason));
    const timer = setTimeout(() => (signal?.removeEventListener("abort", stop), resolve()), milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
