/** What the tests in a browser call by itself. */

export { blake2b } from "@noble/hashes/blake2.js";
export { sha256 } from "@noble/hashes/sha2.js";
export * from "../src/board.ts";
export * from "../src/boards.ts";
export * from "../src/choosing.ts";
export * from "../src/clock.ts";
export * from "../src/counsel.ts";
export * from "../src/outcome.ts";
export * from "../src/placing.ts";
export * from "../src/proof.ts";
export * from "../src/proof_panel.ts";
