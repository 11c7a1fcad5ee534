/** What might be done next, told by zones and legal commands alone: the next card home, one sensible move. Pure. */

import type { Command, View, Zone } from "./api_types.ts";
import type { Choice, Option } from "./choosing.ts";
import { cardsOf } from "./placing.ts";

const HOME = "foundation", WASTE = "waste", FACE_DOWN = "#", RANKS = "A23456789TJQK";

/** Whether the viewer sees every card. */
export function seesAll({ zones }: View): boolean {
  return zones.length > 0 && !zones.some((zone) => cardsOf(zone).includes(FACE_DOWN));
}

/** Whether cards go home in this game: onto several foundations, for a single one is where all is played. */
export function hasHomes({ zones }: View): boolean {
  return zones.filter(({ id }) => id.startsWith(HOME)).length > 1;
}

/** The first command that sends a card home, which has not been there; null: there is none. */
export function nextHome({ options }: Choice): Command | null {
  return options.find(({ command }) => goesHome(command))?.command ?? null;
}

/** Where nothing is to be decided: the command that one goes on with card by card, and the one that runs to the end. */
export function runOf({ options }: Choice): [next: Command, all: Command] | null {
  const next = options.find(({ tap }) => tap.length), all = options.find((one) => one !== next);
  return options.length === 2 && options.every(({ slots }) => !slots.length) && next && all ? [next.command, all.command] : null;
}

/** How columns are built down in a game where cards may go home by themselves. */
export type Built = "alternate" | "suit";

/** The first command that sends a card home which nothing in play needs any more; null: there is none. The card below a
 * waste's top is another matter: what lies there stays. */
export function nextSafe({ options }: Choice, { zones }: View, built: Built): Command | null {
  const home = new Map(zones.filter(({ id }) => id.startsWith(HOME)).map(cardsOf).map((cards) => (
    [cards.at(-1)?.[1], rankOf(cards.at(-1))])));
  const isSafe = (card: string | undefined) => {
    const others = isRed(card) ? ["S", "C"] : ["H", "D"];
    return built === "suit" || rankOf(card) <= 2 || others.every((suit) => (home.get(suit) ?? 0) >= rankOf(card) - 1);
  };
  return options.find(({ command, slots }) => {
    const [id = "", index] = (slots.find(({ target }) => !target)?.places[0] ?? "").split("/");
    const zone = zones.find((one) => one.id === id), card = zone && cardsOf(zone)[Number(index)];
    return goesHome(command) && card && id !== WASTE && isSafe(card);
  })?.command ?? null;
}

/** Ace 1 to king 13; of no card 0. */
function rankOf(card = ""): number {
  return RANKS.indexOf(card[0] ?? "") + 1;
}

function isRed(card = ""): boolean {
  return "HD".includes(card[1] ?? "");
}

function goesHome({ source, target }: Command): boolean {
  return String(target ?? "").startsWith(HOME) && !String(source ?? "").startsWith(HOME);
}

/** The option that looks best to whoever sees this view; `last`: the command that was said last; null: there is none. */
export function bestOption({ options }: Choice, view: View, last: Command | null): Option | null {
  const zones = new Map(view.zones.map((zone) => [zone.id, zone]));
  const worth = (option: Option) => worthOf(option, zones, last);
  return options.filter(({ slots, tap }) => slots.length || tap.length)
    .reduce<Option | null>((best, one) => (best && worth(best) >= worth(one) ? best : one), null);
}

/** Home first, then what turns a card over or empties a pile onto another; never back where it came from. */
function worthOf({ command, slots }: Option, zones: Map<string, Zone>, last: Command | null): number {
  if (last && command["source"] !== undefined && command["source"] === last["target"] && command["target"] === last["source"]) return -1;
  if (goesHome(command)) return 100;
  const [id = "", place = ""] = (slots.find(({ target }) => !target)?.places[0] ?? "").split("/"), index = Number(place);
  const source = zones.get(id), target = zones.get(String(command["target"])), cards = source ? cardsOf(source) : [];
  if (!source || id.startsWith(HOME)) return source ? 0 : 10;
  if (cards[index - 1] === FACE_DOWN) return 80;
  if (!target) return 60 + slots.length;
  if (!cardsOf(target).length) return index === 0 ? 1 : 5;
  return source.layout !== target.layout ? 40 : index === 0 ? 50 : 20;
}
