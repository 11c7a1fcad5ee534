/** What proves a game, made again: shuffle, deal seed, commitment, digest and signature (openapi/vectors.md). */

import { blake2b } from "@noble/hashes/blake2.js";
import { sha256 } from "@noble/hashes/sha2.js";

import type { Card } from "./api_types.ts";

const WORDS_IN_ALL = 2 ** 32, DIGEST_SIZE = 32;

/** Bytes that no other thread writes to. */
type Bytes = Uint8Array<ArrayBuffer>;

/** These cards in the order that this shuffle of this seed (32 bytes) puts them in. */
export function shuffledCards(cards: Card[], seed: Bytes, number: number): Card[] {
  const deck = [...cards], words = shuffleWords(seed, number);
  for (let place = deck.length - 1; place > 0; place -= 1) {
    const other = wordBelow(place + 1, words), [one = "", two = ""] = [deck[place], deck[other]];
    deck[place] = two;
    deck[other] = one;
  }
  return deck;
}

function* shuffleWords(seed: Bytes, number: number): Generator<number, never> {
  for (let block = 0; ; block += 1) {
    const digest = sha256(joinedBytes(textBytes("kibitz/shuffle/1\0"), seed, eightBytes(number), eightBytes(block)));
    const words = new DataView(digest.buffer, digest.byteOffset);
    for (let at = 0; at < 32; at += 4) yield words.getUint32(at);
  }
}

function wordBelow(limit: number, words: Generator<number, never>): number {
  const fair = WORDS_IN_ALL - (WORDS_IN_ALL % limit);
  let { value } = words.next();
  while (value >= fair) value = words.next().value;
  return value % limit;
}

/** The seed of a game's shuffles, of the server's seed (32 bytes) and the seats' seeds (text or null, by seat). */
export function dealSeed(serverSeed: Bytes, clientSeeds: (string | null)[]): Bytes {
  return sha256(joinedBytes(textBytes("kibitz/deal-seed/1\0"), serverSeed, textBytes(JSON.stringify(clientSeeds))));
}

/** What was published before the deal, in hex, of the bound text and the server's seed. */
export function commitmentOf(bound: string, serverSeed: Bytes): string {
  const text = textBytes(bound);
  return bytesHex(sha256(joinedBytes(textBytes("kibitz/commitment/1\0"), eightBytes(text.length), text, serverSeed)));
}

/** The digest of one record, of the one before it (32 bytes), its envelope and the state after it (both text). */
export function chainedDigest(key: Bytes, previous: Bytes, envelope: string, state: string): Bytes {
  return blake2b(joinedBytes(previous, textBytes(`${envelope}\n${state}`)), { key, dkLen: DIGEST_SIZE });
}

/** The bytes that are signed of a game: its id, its version and the digest (32 bytes) of that version. */
export function signedMessage(gameId: string, version: number, digest: Bytes): Bytes {
  return joinedBytes(textBytes("kibitz/record/1\0"), hexBytes(gameId.replaceAll("-", "")), eightBytes(version), digest);
}

/** Whether this is the Ed25519 signature of the message by the key `x` (base64url); null where no browser can tell. */
export async function signatureHolds(x: string, message: Bytes, signature: Bytes): Promise<boolean | null> {
  const algorithm = { name: "Ed25519" };
  if (!isSecureContext) return null;
  const key = await crypto.subtle.importKey("raw", base64Bytes(x), algorithm, false, ["verify"]).catch(() => null);
  return key ? crypto.subtle.verify(algorithm, key, signature, message) : null;
}

/** The name of a public key `x` (base64url): the first 16 hex digits of its SHA-256. */
export function keyName(x: string): string {
  return bytesHex(sha256(base64Bytes(x))).slice(0, 16);
}

/** The bytes of hexadecimal digits. */
export function hexBytes(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Bytes as hexadecimal digits. */
export function bytesHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of base64 or base64url, with or without its padding. */
export function base64Bytes(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

function textBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function eightBytes(number: number): Bytes {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(number));
  return new Uint8Array(bytes.buffer);
}

function joinedBytes(...parts: Bytes[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
