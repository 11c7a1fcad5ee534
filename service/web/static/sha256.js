/** SHA-256 (FIPS 180-4), at once and everywhere: a page over plain http has no crypto.subtle. */

const SHA_PRIMES = firstPrimes(64);
const SHA_ROUNDS = SHA_PRIMES.map((prime) => rootBits(prime, 3n));
const SHA_START = SHA_PRIMES.slice(0, 8).map((prime) => rootBits(prime, 2n));

/** The 32 bytes of the digest of these bytes. */
export function sha256(bytes) {
  const state = Uint32Array.from(SHA_START), padded = shaPadded(bytes);
  for (let at = 0; at < padded.byteLength; at += 64) shaBlock(state, padded, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setUint32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

/** The message, a one bit, zeros, and its length in bits as 8 bytes: whole blocks of 64. */
function shaPadded(bytes) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  return padded;
}

function shaBlock(state, padded, at) {
  const words = shaSchedule(padded, at);
  let [a, b, c, d, e, f, g, h] = state;
  for (let round = 0; round < 64; round += 1) {
    const sum = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + h + SHA_ROUNDS[round] + words[round];
    const majority = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(sum + majority) | 0, a, b, c, (d + sum) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => { state[place] += word; });
}

function shaSchedule(padded, at) {
  const words = new Uint32Array(64);
  for (let place = 0; place < 16; place += 1) words[place] = padded.getUint32(at + 4 * place);
  for (let place = 16; place < 64; place += 1) {
    const early = words[place - 15], late = words[place - 2];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3), two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[place] = words[place - 16] + one + words[place - 7] + two;
  }
  return words;
}

/** A 32-bit word turned right. */
function turned(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

function firstPrimes(count) {
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  return primes;
}

/** The first 32 bits of the fraction of the square or cube root of a prime: the standard's constants are these. */
function rootBits(prime, degree) {
  const target = BigInt(prime) << (32n * degree);
  let low = 0n, high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}
