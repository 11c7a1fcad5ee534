/** BLAKE2b with a key and 32 bytes of digest (RFC 7693): what chains the records of a game. */

const BLAKE_START = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const BLAKE_ORDER = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const BLAKE_MIXED = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const BLAKE_BLOCK = 128, BLAKE_SIZE = 32, WORD_MOST = 0xffffffffffffffffn;

/** The 32 bytes of the digest of these bytes under this key (1 to 64 bytes). */
export function blake2b(key, bytes) {
  const message = keyedMessage(key, bytes), state = BigUint64Array.from(BLAKE_START);
  state[0] ^= 0x01010000n ^ (BigInt(key.length) << 8n) ^ BigInt(BLAKE_SIZE);
  const end = key.length ? BLAKE_BLOCK + bytes.length : bytes.length;
  for (let at = 0; at < message.byteLength; at += BLAKE_BLOCK) {
    const last = at + BLAKE_BLOCK >= message.byteLength;
    blakeBlock(state, message, at, BigInt(last ? end : at + BLAKE_BLOCK), last);
  }
  return littleEndian(state).slice(0, BLAKE_SIZE);
}

/** The key in a block of its own, then the bytes, with zeros to whole blocks. */
function keyedMessage(key, bytes) {
  const before = key.length ? BLAKE_BLOCK : 0;
  const size = Math.max(1, Math.ceil((before + bytes.length) / BLAKE_BLOCK)) * BLAKE_BLOCK;
  const message = new Uint8Array(size);
  message.set(key);
  message.set(bytes, before);
  return new DataView(message.buffer);
}

function blakeBlock(state, message, at, counted, last) {
  const words = Array.from({ length: 16 }, (_, place) => message.getBigUint64(at + 8 * place, true));
  const work = BigUint64Array.from([...state, ...BLAKE_START]);
  work[12] ^= counted;
  if (last) work[14] ^= WORD_MOST;
  for (let round = 0; round < 12; round += 1) {
    const order = BLAKE_ORDER[round % 10];
    BLAKE_MIXED.forEach((places, turn) => blakeMix(work, places, words[order[2 * turn]], words[order[2 * turn + 1]]));
  }
  state.forEach((word, place) => { state[place] = word ^ work[place] ^ work[place + 8]; });
}

function blakeMix(work, [a, b, c, d], one, two) {
  for (const [word, first, second] of [[one, 32n, 24n], [two, 16n, 63n]]) {
    work[a] += work[b] + word;
    work[d] = turnedLong(work[d] ^ work[a], first);
    work[c] += work[d];
    work[b] = turnedLong(work[b] ^ work[c], second);
  }
}

/** A 64-bit word turned right. */
function turnedLong(word, bits) {
  return (word >> bits) | ((word << (64n - bits)) & WORD_MOST);
}

function littleEndian(words) {
  const bytes = new DataView(new ArrayBuffer(8 * words.length));
  words.forEach((word, place) => bytes.setBigUint64(8 * place, word, true));
  return new Uint8Array(bytes.buffer);
}
