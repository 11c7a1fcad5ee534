/** Problem documents (RFC 9457) as errors, each kind that a program tells apart as a class. */
import type { Problem } from "./types.js";

/** What the service refused or could not do; `kind` is the last part of the problem's type. */
export class KibitzError extends Error {
  readonly kind: string;
  readonly status: number;
  readonly requestId: string | null;
  constructor(
    readonly problem: Problem,
    /** Seconds to wait before the next try, where the service says so. */
    readonly retryAfter: number | null = null,
  ) {
    super(problem.detail || problem.title);
    this.name = new.target.name;
    this.kind = problem.type.split("/").at(-1) ?? problem.type;
    this.status = problem.status;
    this.requestId = problem.request_id ?? null;
  }
}

/** 409: a rule forbids it. */
export class RuleRefused extends KibitzError {
  /** The rule's slug. */
  get rule(): string | null {
    return this.problem.rule ?? null;
  }
}
/** 412: the game has moved on. */
export class VersionConflict extends KibitzError {
  /** The game's version now. */
  get version(): number | null {
    return this.problem.version ?? null;
  }
}
/** 400, 413, 415, 422: `errors` names each fault by a JSON pointer. */
export class InvalidRequest extends KibitzError {
  get errors(): NonNullable<Problem["errors"]> {
    return this.problem.errors ?? [];
  }
}
export class NotFound extends KibitzError {}
export class Unauthenticated extends KibitzError {}
export class Forbidden extends KibitzError {}
export class RateLimited extends KibitzError {}
export class Unavailable extends KibitzError {}

/** No answer came, however often it was asked; `cause` is the last failure. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

const CLASSES: Record<number, typeof KibitzError> = {
  400: InvalidRequest, 401: Unauthenticated, 403: Forbidden, 404: NotFound, 409: RuleRefused, 412: VersionConflict,
  413: InvalidRequest, 415: InvalidRequest, 422: InvalidRequest, 429: RateLimited, 503: Unavailable,
};

/** The error of this answer, which is none of success; an answer without a problem document is described by its status. */
export async function errorOf(answer: Response): Promise<KibitzError> {
  const said: unknown = await answer.json().catch(() => null);
  const blank = { type: "about:blank", title: answer.statusText, status: answer.status, detail: `status ${answer.status}` };
  const problem = { ...blank, ...(typeof said === "object" ? (said as Partial<Problem>) : {}) };
  return new (CLASSES[answer.status] ?? KibitzError)(problem, secondsToWait(answer));
}

/** What Retry-After says, in seconds. */
export function secondsToWait(answer: Response): number | null {
  const said = answer.headers.get("Retry-After");
  return said !== null && /^\d+$/.test(said) ? Number(said) : null;
}
