/** What the API answers, as far as the pages read it: of every game type what all of them have in common. */

/** A card's code (`QH`, `*1`), or `#` for one that lies face down. */
export type Card = string;

/** What a game tells besides its zones; each game type has facts of its own. */
export type Facts = Record<string, unknown>;

export interface Zone {
  id: string;
  label: string;
  layout: string;
  x: number;
  y: number;
  owner?: number | null;
  face_down?: number;
  cards?: Card[];
}

export interface View {
  phase: string;
  to_act: number[];
  stuck: boolean;
  zones: Zone[];
  facts: Facts;
}

export interface Result {
  ending: string;
  reason: string;
  winners?: number[];
  scores?: number[];
}

export interface Frame {
  game_id: string;
  step: number;
  live_step: number;
  version: number;
  time: string;
  seat: number | null;
  sentences: string[];
  command?: Command | null;
  status: string;
  view: View | null;
  result: Result | null;
}

/** A command: its type and fields of its own. */
export interface Command {
  type: string;
  [field: string]: unknown;
}

export interface Moment {
  step: number;
  sentence: string;
}

export interface Seat {
  seat: number;
  player: { id?: string; name: string | null } | null;
}

/** A player's rows on the scoreboards, as far as a streak is told. */
export interface PlayerBoards {
  rows: { game_type: string; streak: number }[];
}

export interface Game {
  id: string;
  status: string;
  game_type: string;
  rated: boolean;
  hints: boolean;
  visibility: string;
  seats: Seat[];
  await_seeds: boolean;
  move_seconds?: number | null;
  your_seats: number[];
  viewer: number | null;
  result: Result | null;
}

export interface FrameList {
  steps: number;
  frames: Frame[];
}

export interface MomentList {
  moments: Moment[];
}

/** What somebody said of a game at a step. */
export interface Comment {
  id: string;
  version: number;
  step: number;
  by: { id: string; name: string | null };
  text: string;
}

export interface CommentList {
  comments: Comment[];
  next: string | null;
}

/** What a game that was opened with hints is told by the solver. */
export interface Hint {
  version: number;
  outlook: "winnable" | "impossible" | "open";
  command: Command | null;
  undos: number | null;
  sentence: string;
}

export interface LegalCommands {
  version: number;
  commands: Command[];
  other_commands: Command[];
  next: string | null;
}

export interface CommandAnswer {
  frames: Frame[];
}

/** Steps in a row that are judged alike: could the game still be won after them? */
export interface VerdictSpan {
  first: number;
  last: number;
  verdict: "won" | "impossible" | "open";
}

export interface PatienceReport {
  kind: "patience";
  outcome: string;
  lost_step: number | null;
  last_winnable_step: number | null;
  moves: number;
  line_step: number | null;
  line: { sentence: string }[];
  spans: VerdictSpan[];
  undone: { lost_step: number | null }[];
  sentences: string[];
  remarks?: string[];
  complete?: boolean;
}

/** The table after each move of a report's line. */
export interface AnalysisLine {
  line_step: number;
  views: View[];
}

export interface CallWorth {
  level: number;
  strain: string | null;
  points: number;
}

/** Bridge Solitaire with the stock open, hand by hand. */
export interface BridgeReport {
  kind: "bridge";
  hands: {
    hand: number; par: CallWorth; called: CallWorth; points: number;
    cards: { step: number; card: Card; tricks: number; points?: number | null }[];
  }[];
  sentences: string[];
  complete?: boolean;
}

/** How a move changed its player's share of the win, 0 to 1. */
export interface Swing {
  step: number;
  seat: number;
  before: number;
  after: number;
}

export interface SeveralReport {
  kind: "several";
  moments: Swing[];
  sentences: string[];
  complete?: boolean;
}

/** A position of a puzzle, and what may be done there. */
export interface PuzzlePosition {
  view: View;
  commands: Command[];
}

/** What the moves of an attempt came to: `right`, it goes on. */
export interface PuzzleAnswer {
  outcome: "right" | "solved" | "wrong";
  position: PuzzlePosition;
  counted: boolean;
  standing: { rating: { mu: number }; solved: number; missed: number; streak: number } | null;
  solution: { sentence: string }[];
  source: { game_id: string; step: number } | null;
  lost: { sentence: string; moves_left: number; line: { sentence: string }[]; positions: PuzzlePosition[] } | null;
  run: { puzzle_id: string | null } | null;
}

export type AnalysisReport = PatienceReport | BridgeReport | SeveralReport;

export interface Analysis {
  status: string;
  verdicts: number;
  expected: number;
  spans: VerdictSpan[];
  report: AnalysisReport | null;
}

export interface Shuffle {
  number: number;
  before: Card[];
  after: Card[];
}

export interface Proof {
  game_id: string;
  algorithm: string;
  bound: string;
  commitment: string;
  fair: boolean;
  client_seeds: (string | null)[];
  server_seed: string | null;
  shuffles?: Shuffle[] | null;
  imported_from_game_id?: string | null;
}

export interface PublicKey {
  kid: string;
  x: string;
}

export interface Verification {
  steps: number;
  consistent: boolean;
  faults: { step: number; what: string }[];
}

/** What a card stands for in a game without playing cards. */
export interface Face {
  name: string;
  shape?: string;
}

export type Faces = Record<Card, Face>;
