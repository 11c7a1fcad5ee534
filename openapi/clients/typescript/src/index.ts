export { Game, type FollowOptions, type PlayOptions } from "./game.js";
export { Kibitz, type Api } from "./kibitz.js";
export { each } from "./pages.js";
export * from "./problems.js";
export { type Options } from "./transport.js";
export type * from "./types.js";
