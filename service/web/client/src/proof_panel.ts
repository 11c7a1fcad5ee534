/** The panel that checks a game in the reader's own browser and says in words what was checked. */

import { ask, gamePath } from "./api.ts";
import type { Card, Proof, PublicKey, Shuffle, Verification } from "./api_types.ts";
import { htmlNode } from "./markup.ts";
import {
  base64Bytes, bytesHex, commitmentOf, dealSeed, hexBytes, keyName, shuffledCards, signatureHolds, signedMessage,
} from "./proof.ts";

/** What was found, in words; null: it was not checked here. */
export interface Check {
  holds: boolean | null;
  says: string;
}

/** A line of a record, as far as it is read here: the head, a step or the ending. */
interface RecordLine {
  game_id?: string;
  step?: number;
  events?: unknown;
  digests?: string[];
  version?: number;
  signature?: { key: string; value: string } | null;
}

const VERDICTS = new Map<boolean | null, string>([[true, "Right"], [false, "Wrong"], [null, "Not checked"]]);

/** Checks this game and lists in `root` what was found; called again, it checks again. Resolves to the checks. */
export async function startProof(root: HTMLElement, gameId: string): Promise<Check[]> {
  const checks = await proofChecks(gameId).catch((failure: Error): Check[] => [{ holds: null, says: failure.message }]);
  const named = { class: "checks", "aria-label": "What this browser has checked" };
  const list = htmlNode("ul", named, ...checks.map(checkNode));
  root.querySelector(".checks")?.remove();
  root.append(list);
  return checks;
}

function checkNode({ holds, says }: Check): HTMLElement {
  return htmlNode("li", { "data-holds": String(holds) }, htmlNode("strong", {}, `${VERDICTS.get(holds)}: `), says);
}

async function proofChecks(gameId: string): Promise<Check[]> {
  const proof = (await ask<Proof>("GET", gamePath(gameId, "/proof"))).data;
  if (proof.server_seed === null) {
    return [unchecked("The seeds are told once the game (or its contest) is over; until then the commitment binds.")];
  }
  const lines = await recordLines(gameId);
  const known = proof.imported_from_game_id ?? gameId;
  return [...dealChecks(proof, hexBytes(proof.server_seed), known, lines), await signatureCheck(known, lines), await serviceCheck(gameId)];
}

function unchecked(says: string): Check {
  return { holds: null, says };
}

/** The lines of the game's record; null where it cannot be had. */
async function recordLines(gameId: string): Promise<RecordLine[] | null> {
  const answer = await fetch(gamePath(gameId, "/record"), { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) return null;
  return (await answer.text()).trim().split("\n").map((line) => JSON.parse(line) as RecordLine);
}

type Bytes = ReturnType<typeof hexBytes>;

function dealChecks(proof: Proof, serverSeed: Bytes, gameId: string, lines: RecordLine[] | null): Check[] {
  const checks = [commitmentCheck(proof, serverSeed, gameId)];
  if (!proof.fair && proof.imported_from_game_id) {
    const says = "The game was brought here and nobody vouches for it: whoever made it up could commit to any deal.";
    return [...checks, unchecked(says)];
  }
  if (!proof.fair) {
    return [...checks, unchecked("Somebody chose this deal or knew its seed: it proves nothing, and the game is not rated.")];
  }
  const seed = dealSeed(serverSeed, proof.client_seeds);
  return [...checks, seedNote(proof, seed), ...(proof.shuffles ?? []).flatMap((shuffle) => shuffleChecks(shuffle, seed, lines))];
}

/** The text that was bound names this game, and with the server's seed makes what was published. */
function commitmentCheck(proof: Proof, serverSeed: Bytes, gameId: string): Check {
  const [algorithm, game, type] = JSON.parse(proof.bound) as [string, string, string];
  const holds = commitmentOf(proof.bound, serverSeed) === proof.commitment;
  const named = game === gameId && game === (proof.imported_from_game_id ?? proof.game_id) && algorithm === proof.algorithm;
  if (!holds) return { holds, says: "The server's seed does not make the commitment that was published before the deal." };
  if (!named) return { holds: false, says: "The commitment is that of another game." };
  return { holds, says: `The server's seed, with the text that names this game of ${type.replaceAll("_", " ")} and its options, makes the commitment that was published before the deal.` };
}

function seedNote({ client_seeds: seeds }: Proof, seed: Bytes): Check {
  const given = seeds.filter((one) => one !== null).length;
  const mixed = given
    ? `the server's seed and the ${given} ${given === 1 ? "seed" : "seeds"} that players gave`
    : "the server's seed alone, for no player gave one";
  return { holds: true, says: `The seed of the shuffles was made here of ${mixed}: ${bytesHex(seed)}.` };
}

function shuffleChecks({ number, before, after }: Shuffle, seed: Bytes, lines: RecordLine[] | null): Check[] {
  const holds = sameCards(shuffledCards(before, seed, number), after);
  const which = `Shuffle ${number} of ${before.length} cards`;
  if (!holds) return [{ holds, says: `${which} does not come out of that seed.` }];
  const made = { holds, says: `${which} comes out of that seed: ${after.slice(0, 4).join(" ")} and so on.` };
  return lines === null ? [made] : [made, dealtCheck(number, after, lines)];
}

/** An event of the record that holds the cards in that very order; some game types hand them out instead. */
function dealtCheck(number: number, after: Card[], lines: RecordLine[]): Check {
  const step = lines.find((line) => holdsCards(line.events, after));
  if (step) {
    const says = `The record deals the cards of shuffle ${number} in exactly this order, at step ${step.step}.`;
    return { holds: true, says };
  }
  const says = `Where the cards of shuffle ${number} went the rules of the game say; that is for the check of the whole record.`;
  return unchecked(says);
}

function holdsCards(value: unknown, cards: Card[]): boolean {
  if (value === null || typeof value !== "object") return false;
  return (Array.isArray(value) && sameCards(value, cards)) || Object.values(value).some((part) => holdsCards(part, cards));
}

function sameCards(one: unknown[], other: Card[]): boolean {
  return one.length === other.length && one.every((card, place) => card === other[place]);
}

/** The signature of the record's last digest, by a key that the service publishes. */
async function signatureCheck(gameId: string, lines: RecordLine[] | null): Promise<Check> {
  const ending = lines?.findLast(({ signature }) => signature !== undefined), recorded = lines?.[0]?.game_id;
  const digest = lines?.findLast(({ digests }) => digests)?.digests?.at(-1);
  if (!ending || !digest || !recorded) return unchecked("The record of this game cannot be had here.");
  const { signature, version = 0 } = ending;
  if (!signature) return unchecked("The record is not signed.");
  const { keys } = (await ask<{ keys: PublicKey[] }>("GET", "/v1/keys")).data;
  const key = keys.find(({ kid }) => kid === signature.key);
  if (!key || keyName(key.x) !== key.kid) {
    return unchecked(`The record is signed by the key ${signature.key}, which this service does not publish.`);
  }
  const message = signedMessage(recorded, version, hexBytes(digest));
  return signatureTold(await signatureHolds(key.x, message, base64Bytes(signature.value)), key, recorded === gameId);
}

function signatureTold(holds: boolean | null, { kid }: PublicKey, own: boolean): Check {
  if (holds === null) {
    const says = `The record is signed by the key ${kid}, but this browser cannot check Ed25519 here: over https it can, and so can the command kibitz verify.`;
    return unchecked(says);
  }
  if (!holds || !own) return { holds: false, says: `The signature by the key ${kid} is not one of this record.` };
  return { holds, says: `The last digest of the record is signed by the service's key ${kid}.` };
}

/** What the service says of the whole record: its word, not this browser's. */
async function serviceCheck(gameId: string): Promise<Check> {
  const found = (await ask<Verification>("GET", gamePath(gameId, "/verification"))).data;
  const own = "that is its word; the command kibitz verify checks a saved record without it.";
  const rules = "The digests and the rules, which this browser does not know.";
  if (found.consistent) {
    return unchecked(`${rules} The service has decided all ${found.steps} steps again and found no fault; ${own}`);
  }
  const fault = found.faults[0];
  return { holds: false, says: `The service itself finds a fault at step ${fault?.step}: ${fault?.what}` };
}
