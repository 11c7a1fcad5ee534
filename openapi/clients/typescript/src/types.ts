/** The API's schemas by short names, narrowed to one game type where it is known. */
import type { components, paths } from "./openapi.js";

export type { components, paths };
type Schemas = components["schemas"];

export type Opening = Schemas["Opening"];
export type GameType = Opening["game_type"];
export type Look<K extends GameType = GameType> = Extract<Schemas["Game"], { game_type: K }>;
export type Frame<K extends GameType = GameType> = Extract<Schemas["Frame"], { game_type: K }>;
export type Legal<K extends GameType = GameType> = Extract<Schemas["LegalCommands"], { game_type: K }>;
export type Command<K extends GameType = GameType> = Legal<K>["commands"][number];
export type Answer<K extends GameType = GameType> = Extract<Schemas["CommandAnswer"], { game_type: K }>;
export type Registration = Schemas["Registration"];
export type Verification = Schemas["Verification"];
export type Problem = Schemas["Problem"];
