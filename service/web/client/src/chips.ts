/** The facts that are shown under words made for them: `service/pictures/words.py` says the same. */

import { playerName } from "./naming.ts";

const FACT = /\{([\w.]+)(?:=(\w+))?\}/g;

/** How a fact is shown: `domain/capabilities.py` says what the fields mean; what is as usual is left out. */
export interface Chip {
  fact: string;
  label: string;
  shown?: "number" | "of" | "card" | "flag" | "words" | "seats" | "elsewhere";
  of?: string;
  seat?: boolean;
  form?: string;
  least?: number;
  most?: number;
  words?: Record<string, string>;
}

/** What a bar says: the chips, and what a player does in a phase whose name does not say it; `stuck` beside them. */
export interface Bar {
  chips: Chip[];
  phases: Record<string, string>;
}

/** What the chip says of these facts, of this seat: `Captured 4 of 9`; empty where it says nothing. */
export function chipText(chip: Chip, facts: unknown, seat = 0): string {
  const value = valueAt(facts, chip.fact.replaceAll("@", String(seat)));
  if (value === null || value === undefined || value === false || value === "" || isBare(value) || chip.shown === "elsewhere") return "";
  if (typeof value === "number" && (value < (chip.least ?? value) || value > (chip.most ?? value))) return "";
  if (chip.shown === "flag") return chip.label;
  const of = chip.shown === "of" ? ` of ${valueAt(facts, (chip.of ?? "").replaceAll("@", String(seat)))}` : "";
  const parts = isTold(value) ? value : { "": chip.shown === "seats" ? [value].flat().map((one) => playerName(Number(one))) : value };
  const words = (chip.form ?? "{}").replaceAll(/\{(\w*)\}/g, (_, name: string) => chipWord(chip, parts[name]));
  return `${chip.label} ${words.trim()}${of}`;
}

/** The part of these facts at a path (`seats.0.score`); undefined where there is none. */
export function valueAt(facts: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (
    value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined), facts);
}

/** The first words of a note, between `|`, that miss no fact, with the facts in them, a ten as people write it;
 * `{level=0}` says nothing, and is missing where the fact is another. */
export function noteOf(note: string, facts: unknown): string {
  for (const words of note.split("|")) {
    const values = [...words.matchAll(FACT)].map(([, path = "", only]): [unknown, string?] => [valueAt(facts, path), only]);
    if (values.some(([value, only]) => value === undefined || value === null || (only ?? String(value)) !== String(value))) continue;
    return words.replaceAll(FACT, () => {
      const [value, only] = values.shift() ?? [];
      return only === undefined ? String(value).replace(/^T$/, "10") : "";
    });
  }
  return "";
}

function isTold(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isBare(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function chipWord(chip: Chip, value: unknown): string {
  if (Array.isArray(value)) return value.map((part) => chipWord(chip, part)).join(", ");
  const word = value === null || value === undefined ? "" : String(value).replaceAll("_", " ");
  return chip.words?.[word] ?? word;
}
