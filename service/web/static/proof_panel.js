/** The panel that checks a game in the reader's own browser and says in words what was checked. */

import { ask, gamePath } from "./api.js";
import { htmlNode } from "./markup.js";
import { base64Bytes, bytesHex, commitmentOf, dealSeed, hexBytes, keyName, shuffledCards, signatureHolds, signedMessage } from "./proof.js";

const VERDICTS = new Map([[true, "Right"], [false, "Wrong"], [null, "Not checked"]]);

/** Checks this game and lists in `root` what was found; called again, it checks again. Resolves to the checks. */
export async function startProof(root, gameId) {
  const checks = await proofChecks(gameId).catch((failure) => [{ holds: null, says: failure.message }]);
  const list = htmlNode("ul", { class: "checks", "aria-label": "What this browser has checked" }, ...checks.map(checkNode));
  root.querySelector(".checks")?.remove();
  root.append(list);
  return checks;
}

function checkNode({ holds, says }) {
  return htmlNode("li", { "data-holds": String(holds) }, htmlNode("strong", {}, `${VERDICTS.get(holds)}: `), says);
}

/** The checks of a game, each {holds: true, false or null, says}. */
export async function proofChecks(gameId) {
  const proof = (await ask("GET", gamePath(gameId, "/proof"))).data;
  if (proof.server_seed === null) return [{ holds: null, says: "The seeds are told once the game (or its contest) is over; until then the commitment binds." }];
  const lines = await recordLines(gameId);
  const known = proof.imported_from_game_id ?? gameId;
  return [...dealChecks(proof, known, lines), await signatureCheck(known, lines), await serviceCheck(gameId)];
}

/** The lines of the game's record; null where it cannot be had. */
async function recordLines(gameId) {
  const answer = await fetch(gamePath(gameId, "/record"), { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) return null;
  return (await answer.text()).trim().split("\n").map((line) => JSON.parse(line));
}

function dealChecks(proof, gameId, lines) {
  const checks = [commitmentCheck(proof, gameId)];
  if (!proof.fair && proof.imported_from_game_id) return [...checks, { holds: null, says: "The game was brought here and nobody vouches for it: whoever made it up could commit to any deal." }];
  if (!proof.fair) return [...checks, { holds: null, says: "Somebody chose this deal or knew its seed: it proves nothing, and the game is not rated." }];
  const seed = dealSeed(hexBytes(proof.server_seed), proof.client_seeds);
  return [...checks, seedNote(proof, seed), ...(proof.shuffles ?? []).flatMap((shuffle) => shuffleChecks(shuffle, seed, lines))];
}

/** The text that was bound names this game, and with the server's seed makes what was published. */
function commitmentCheck(proof, gameId) {
  const [algorithm, game, type] = JSON.parse(proof.bound);
  const holds = commitmentOf(proof.bound, hexBytes(proof.server_seed)) === proof.commitment;
  const named = game === gameId && game === (proof.imported_from_game_id ?? proof.game_id) && algorithm === proof.algorithm;
  if (!holds) return { holds, says: "The server's seed does not make the commitment that was published before the deal." };
  if (!named) return { holds: false, says: "The commitment is that of another game." };
  return { holds, says: `The server's seed, with the text that names this game of ${type.replaceAll("_", " ")} and its options, makes the commitment that was published before the deal.` };
}

function seedNote({ client_seeds: seeds }, seed) {
  const given = seeds.filter((one) => one !== null).length;
  const mixed = given ? `the server's seed and the ${given} ${given === 1 ? "seed" : "seeds"} that players gave` : "the server's seed alone, for no player gave one";
  return { holds: true, says: `The seed of the shuffles was made here of ${mixed}: ${bytesHex(seed)}.` };
}

function shuffleChecks({ number, before, after }, seed, lines) {
  const holds = sameCards(shuffledCards(before, seed, number), after);
  const which = `Shuffle ${number} of ${before.length} cards`;
  if (!holds) return [{ holds, says: `${which} does not come out of that seed.` }];
  const made = { holds, says: `${which} comes out of that seed: ${after.slice(0, 4).join(" ")} and so on.` };
  return lines === null ? [made] : [made, dealtCheck(number, after, lines)];
}

/** An event of the record that holds the cards in that very order; some game types hand them out instead. */
function dealtCheck(number, after, lines) {
  const step = lines.find((line) => holdsCards(line.events, after));
  if (step) return { holds: true, says: `The record deals the cards of shuffle ${number} in exactly this order, at step ${step.step}.` };
  return { holds: null, says: `Where the cards of shuffle ${number} went the rules of the game say; that is for the check of the whole record.` };
}

function holdsCards(value, cards) {
  if (value === null || typeof value !== "object") return false;
  return (Array.isArray(value) && sameCards(value, cards)) || Object.values(value).some((part) => holdsCards(part, cards));
}

function sameCards(one, other) {
  return one.length === other.length && one.every((card, place) => card === other[place]);
}

/** The signature of the record's last digest, by a key that the service publishes. */
async function signatureCheck(gameId, lines) {
  const ending = lines?.at(-1), digest = lines?.at(-2)?.digests.at(-1);
  if (!lines || !digest) return { holds: null, says: "The record of this game cannot be had here." };
  if (!ending.signature) return { holds: null, says: "The record is not signed." };
  const { keys } = (await ask("GET", "/v1/keys")).data, key = keys.find(({ kid }) => kid === ending.signature.key);
  if (!key || keyName(key.x) !== key.kid) return { holds: null, says: `The record is signed by the key ${ending.signature.key}, which this service does not publish.` };
  const message = signedMessage(lines[0].game_id, ending.version, hexBytes(digest));
  return signatureTold(await signatureHolds(key.x, message, base64Bytes(ending.signature.value)), key, lines[0].game_id === gameId);
}

function signatureTold(holds, { kid }, own) {
  if (holds === null) return { holds, says: `The record is signed by the key ${kid}, but this browser cannot check Ed25519 here: over https it can, and so can the command kibitz verify.` };
  if (!holds || !own) return { holds: false, says: `The signature by the key ${kid} is not one of this record.` };
  return { holds, says: `The last digest of the record is signed by the service's key ${kid}.` };
}

/** What the service says of the whole record: its word, not this browser's. */
async function serviceCheck(gameId) {
  const found = (await ask("GET", gamePath(gameId, "/verification"))).data;
  const own = "that is its word; the command kibitz verify checks a saved record without it.";
  const rules = "The digests and the rules, which this browser does not know.";
  if (found.consistent) return { holds: null, says: `${rules} The service has decided all ${found.steps} steps again and found no fault; ${own}` };
  return { holds: false, says: `The service itself finds a fault at step ${found.faults[0].step}: ${found.faults[0].what}` };
}
