/** A label broken into lines, as large as its room allows: `service/pictures/svg/labels.py` says the same. */

export const LABEL_LEADING = 1.15, LABEL_LETTER = 0.56;
const NEARLY = [0.8, 0.9, 0.9], EVEN = 0.6;

/** {lines, size}: as few lines as show it nearly as large as can be; where none do, those that show it largest. */
export function fittedLabel(text, room, largest) {
  const ways = NEARLY.map((_, at) => labelWay(brokenLabel(text, at + 1), room, largest));
  const best = ways.reduce((large, way) => (way.size > large.size ? way : large));
  return ways.find(({ size }, at) => size >= NEARLY[at] * largest) ?? best;
}

/** The labels of one table in one size; one that is cramped far below the others does not make them small. */
export function evenedSizes(sizes, largest) {
  const wide = sizes.filter((size) => size >= EVEN * largest), common = wide.length ? Math.min(...wide) : largest;
  return sizes.map((size) => Math.min(common, size));
}

/** The line as far as it fits, at least four letters of it. */
export function cutLabel(line, size, room) {
  const most = Math.max(Math.trunc(room / (size * LABEL_LETTER) + 1e-9), 4), letters = [...line];
  return letters.length <= most ? line : letters.slice(0, most - 1).join("") + "…";
}

function labelWay(lines, room, largest) {
  return { lines, size: Math.min(largest, room / (Math.max(...lines.map(lettersOf)) * LABEL_LETTER)) };
}

function lettersOf(text) {
  return [...text].length;
}

/** In at most so many lines, the longest of them as short as can be. */
function brokenLabel(text, count) {
  for (let most = 1; ; most += 1) {
    const lines = wrappedLabel(text.split(" "), most);
    if (lines.length <= count) return lines;
  }
}

/** Each line as long as it may be; a word that is longer stands alone. */
function wrappedLabel(words, most) {
  const lines = [words[0]];
  for (const word of words.slice(1)) {
    if (lettersOf(lines.at(-1)) + 1 + lettersOf(word) <= most) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}
