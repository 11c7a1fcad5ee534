// Verify open records of format 3 with nothing but WebCrypto, here in Node: no rules of a game, no library.
//
// node verify_record.mjs keys.json game.ndjson ...     keys.json: the answer of GET /v1/keys

import { readFile } from "node:fs/promises";

const utf8 = new TextEncoder();
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts)));
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));

function joined(parts) {
    const bytes = parts.map((part) => (typeof part === "string" ? utf8.encode(part) : part));
    const all = new Uint8Array(bytes.reduce((sum, part) => sum + part.length, 0));
    bytes.reduce((at, part) => (all.set(part, at), at + part.length), 0);
    return all;
}

function number64(value) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
    return bytes;
}

// JSON without blanks, the members of each object sorted by name
function canonical(value) {
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    const members = Object.keys(value).sort();
    return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

// the cards in the order that shuffle `number` of this seed makes: algorithm kibitz-shuffle-1
async function shuffle(pack, seed, number) {
    const cards = [...pack];
    const words = [];
    let block = 0;
    for (let place = cards.length - 1; place > 0; place--) {
        const limit = 2 ** 32 - (2 ** 32 % (place + 1));
        let word;
        do {
            if (words.length === 0) {
                const digest = await sha256("kibitz/shuffle/1\0", seed, number64(number), number64(block++));
                for (let at = 0; at < 32; at += 4) words.push(new DataView(digest.buffer).getUint32(at));
            }
            word = words.shift();
        } while (word >= limit);
        const other = word % (place + 1);
        [cards[place], cards[other]] = [cards[other], cards[place]];
    }
    return cards;
}

function clientSeeds(seats, events) {
    const seeds = Array(seats).fill(null);
    for (const event of events)
        if (event.type === "game/seeded" || event.type === "game/left") seeds[event.seat] = event.client_seed ?? null;
    return seeds;
}

// what is wrong with the secrets or the deal: they are what was committed to before anybody saw a card
async function dealFault({ game_id, opened, sealed, packs }, events) {
    const seed = fromBase64(sealed.seed);
    const bound = utf8.encode(canonical(["kibitz-shuffle-1", game_id, opened.game_type, opened.options]));
    const committed = await sha256("kibitz/commitment/1\0", number64(bound.length), bound, seed);
    if (hex(committed) !== opened.commitment) return "the seed is not the one that was committed to";
    const revealed = events.filter((event) => event.type === "game/revealed");
    if (revealed.some((event) => event.seed !== sealed.seed || event.digest_key !== sealed.digest_key))
        return "the secrets that are revealed are not the sealed ones";
    const dealt = events.find((event) => !event.type.startsWith("game/"));
    const seeds = sealed.client_seeds ?? clientSeeds(opened.seats, events);
    const dealSeed = await sha256("kibitz/deal-seed/1\0", seed, canonical(seeds));
    if (dealt && packs.length === 0 && sealed.given == null) return "the packs of the deal are missing";
    for (const [number, pack] of packs.entries()) {
        const made = await shuffle(pack, dealSeed, number);
        for (const cards of [dealt?.patterns ?? [], dealt?.cards ?? []]) // dealt in piles: only the rules tell
            if (cards.length === pack.length && String(cards) !== String(made))
                return `shuffle ${number} does not make the cards that were dealt`;
    }
    return null;
}

// what is wrong with this record (its bytes), by its line; null: it is whole, and sealed by one of these keys
async function fault(bytes, keys) {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    while (lines.at(-1)?.startsWith('{"annotates":')) lines.pop(); // said of the game later: nothing vouches for it
    const parts = lines.map((line) => JSON.parse(line));
    const last = parts.at(-1);
    if (parts[0]?.kibitz_record !== 3 || !parts[0].complete || last.seal === undefined)
        return "this is no whole record of format 3";
    for (let number = 1; number < lines.length; number++)
        if (parts[number].previous !== hex(await sha256(lines[number - 1])))
            return `line ${number} is not the one that line ${number + 1} names`;
    const key = keys.find((one) => one.kid === last.seal?.key);
    if (key === undefined) return "it is not sealed by one of these keys";
    const value = fromBase64(last.seal.value);
    const written = { seal: { key: key.kid, value: toBase64(value) }, previous: last.previous };
    if (lines.at(-1) !== `${JSON.stringify(written)}\n`) return "the seal is not written as seals are";
    const message = joined(["kibitz/lines/1\0", await sha256(lines.at(-2))]);
    const jwk = { kty: "OKP", crv: "Ed25519", x: key.x };
    const verifier = await crypto.subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]);
    if (!(await crypto.subtle.verify({ name: "Ed25519" }, verifier, value, message))) return "the seal is not by its key";
    return dealFault(parts[0], parts.slice(1, -2).flatMap((part) => part.events));
}

const [known, ...records] = process.argv.slice(2);
const { keys } = JSON.parse(await readFile(known));
for (const path of records) {
    let found;
    try {
        found = await fault(await readFile(path), keys);
    } catch (error) {
        found = `it cannot be read: ${error}`;
    }
    console.log(found ? `FAULT ${path}: ${found}` : `OK    ${path}: whole, sealed, no fault of seed or shuffle`);
    if (found) process.exitCode = 1;
}
