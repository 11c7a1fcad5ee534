/** The description's own types fit those that the scripts read: `tsc` refuses where they do not. */

import type { components } from "../../../../openapi/clients/typescript/src/openapi.ts";
import type * as read from "../src/api_types.ts";

type Described = components["schemas"];
type Fits<Read, Answer extends Read> = Answer;

export type Answers = [
  Fits<read.Game, Described["Game"]>,
  Fits<read.Frame, Described["Frame"]>,
  Fits<read.FrameList, Described["FrameList"]>,
  Fits<read.MomentList, Described["MomentList"]>,
  Fits<read.CommentList, Described["CommentList"]>,
  Fits<read.LegalCommands, Described["LegalCommands"]>,
  Fits<read.CommandAnswer, Described["CommandAnswer"]>,
  Fits<read.Proof, Described["Proof"]>,
  Fits<read.PublicKey, Described["PublicKey"]>,
  Fits<read.Verification, Described["Verification"]>,
  Fits<read.PlayerBoards, Described["PlayerBoards"]>,
  Fits<read.Analysis, Described["Analysis"]>,
  Fits<read.AnalysisLine, Described["AnalysisLine"]>,
  Fits<read.PuzzleAnswer, Described["PuzzleAnswer"]>,
  Fits<read.Face, Described["Face"]>,
];
