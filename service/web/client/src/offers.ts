/** What can be had for cards, as plates beside the table: name, price, gain, and whose pawns stand there.
 *
 * First what can be had now, then the rest with what is missing for it, so that one can plan. A plate narrows what may be
 * said, and takes up the cards that are easiest to do without. */

import { valueAt } from "./chips.ts";
import type { Card } from "./api_types.ts";
import { type Choice, type Option, type Saying, choiceOf, payWith, sayValues, sayings } from "./choosing.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import { type Cell, isCardList } from "./naming.ts";
import { seatName } from "./outcome.ts";
import { outlineDrawing } from "./outlines.ts";
import { cardsOf } from "./placing.ts";
import { type Player, seatOf } from "./player.ts";

/** A plate: `domain/capabilities.py` says what the fields mean; what is as usual is left out. */
interface Offer {
  said: string;
  name: string;
  costs: string[];
  gain?: string;
  shape?: string[];
  mark?: string;
  pawn?: boolean;
  hindrance?: string;
}

/** Which cards pay for a symbol; what is not named is paid by any card. */
type Payers = Record<string, Card[]>;

/** The plates of one command. */
export interface Offers {
  tag?: string;
  pawns?: string;
  spare?: string;
  eased?: string;
  payers?: Payers[];
  plates?: Offer[];
}

const SYMBOLS: Record<string, [sign: string, name: string]> = {
  S: ["♠", "a spade"], H: ["♥", "a heart"], D: ["♦", "a diamond"], C: ["♣", "a club"], J: ["J", "a jack"],
  Q: ["Q", "a queen"], K: ["K", "a king"], "?": ["?", "any card"],
};

/** The plates of these offers under the table of this player; `choose` hears the choice that a plate leads to. */
export function offersFor(player: Player, offers: Offers, choose: (choice: Choice) => void): (choice: Choice | null) => void {
  const { pawns = "", plates = [], tag } = offers;
  let open = new Map<string, Saying>(), current: Choice | null = null;
  const press = (key: string) => {
    const name = open.get(key)?.name;
    if (!current || name === undefined) return;
    const choice = sayValues(current, current.saying === name ? null : name), payers = payersNow(player, offers);
    choose(choice.saying === null ? choiceOf(choice.options) : payWith(choice, easiest(choice, payers)));
    player.panel.scrollIntoView({ block: "nearest" });
    if (choice.saying !== null) player.panel.querySelector<HTMLElement>(".choice-group .say")?.focus({ preventScroll: true });
  };
  const entries = plates.map((offer) => {
    const { said: key } = offer, whose = htmlNode("span", { class: "whose" }), missing = htmlNode("span", { class: "missing" });
    const node = buttonNode("", () => press(key), { class: "offer", "data-offer": key });
    node.append(...partsOf(offer), missing, whose);
    return { key, offer, node, whose, missing };
  });
  const groups = ["You can take now", "What else can be had"].map((title) => htmlNode("div", { class: "offer-group", role: "group", "aria-label": title }));
  if (entries.length) {
    const stage = player.panel.parentElement;
    stage?.after(htmlNode("div", { class: "offers" }, ...groups.flatMap((group) => [htmlNode("h2", {}, group.ariaLabel ?? ""), group])));
    stage?.parentElement?.classList.add("offering");
    groups[1]?.append(...entries.map(({ node }) => node));
  }
  return (choice) => {
    const all = choice ? sayings(choiceOf(choice.options)).filter(({ type }) => type === tag) : [];
    open = new Map(all.map((saying) => [Object.values(saying.values).join(" "), saying]));
    current = choice;
    for (const { key, offer, node, whose, missing } of entries) {
      node.disabled = !open.has(key);
      node.setAttribute("aria-pressed", String(choice !== null && choice.saying !== null && open.get(key)?.name === choice.saying));
      if (choice) missing.textContent = node.disabled ? missingWords(player, offers, offer, open.size > 0) : "";
      const standing = pawns ? holdersOf(player, pawns, key) : "";
      if (whose.textContent !== standing) whose.textContent = standing;
    }
    for (const [place, group] of choice ? groups.entries() : []) {
      const nodes = entries.filter(({ node }) => node.disabled === Boolean(place)).map(({ node }) => node);
      if (nodes.length !== group.children.length || nodes.some((node, at) => node !== group.children[at])) group.replaceChildren(...nodes);
    }
  };
}

/** Of the ways to pay that fit: the cards that pay for least, and those of symbols that many pay for. */
function easiest({ candidates }: Choice, payers: Payers): Option | undefined {
  const worth = (card: Card) => Object.values(payers).reduce((sum, cards) => sum + (cards.includes(card) ? 1 / cards.length : 0), 0);
  const price = ({ command }: Option) => (Object.values(command).find(isCardList) ?? []).reduce((sum, card) => sum + worth(card), 0);
  return candidates.map(({ option }) => option).toSorted((one, other) => price(one) - price(other))[0];
}

/** What pays for what now. */
function payersNow({ frame }: Player, { payers = [], eased = "" }: Offers): Payers {
  return payers[valueAt(frame?.view?.facts, eased) === true ? 1 : 0] ?? {};
}

/** What a plate lacks: cards, a pawn, or what usually hinders; `turn`: whether any plate can be taken. */
function missingWords(player: Player, offers: Offers, { said, costs, pawn, hindrance = "" }: Offer, turn: boolean): string {
  const seat = seatOf(player.viewer), view = player.frame?.view, payers = payersNow(player, offers);
  const hand = view?.zones.filter(({ owner, layout }) => owner === seat && layout === "fan").flatMap(cardsOf) ?? [];
  const lacks = costs.map((cost) => unpaid([...cost], hand, payers)).toSorted((one, other) => one.length - other.length)[0] ?? [];
  const counted = [...Map.groupBy(lacks, (symbol) => SYMBOLS[symbol]?.[1].replace(/^\w+ /, "") ?? symbol)];
  if (counted.length) return `needs ${counted.map(([name, { length }]) => `${length} more ${name}${length > 1 ? "s" : ""}`).join(" and ")}`;
  const factOf = (path = "") => valueAt(view?.facts, path.replace("@", String(seat)));
  const pawnless = pawn && factOf(offers.spare) === 0 && ![factOf(offers.pawns)].flat().includes(said);
  return pawnless ? "no pawn left for it" : turn ? hindrance : "";
}

/** The symbols that are left when as many as can be are paid for with these cards. */
function unpaid([symbol, ...rest]: string[], hand: Card[], payers: Payers): string[] {
  if (symbol === undefined) return [];
  const paid = hand.flatMap((card, at) => ((payers[symbol]?.includes(card) ?? true) ? [unpaid(rest, hand.toSpliced(at, 1), payers)] : []));
  return [...paid, [symbol, ...unpaid(rest, hand, payers)]].reduce((least, way) => (way.length < least.length ? way : least));
}

function partsOf({ name, costs, gain = "", shape = [], mark = "", pawn = false }: Offer): Node[] {
  const cells = shape.flatMap((row, down) => [...row].flatMap((sign, across): Cell[] => (sign === "X" ? [[down, across]] : [])));
  const drawn = cells.length ? [htmlNode("span", { class: "drawn", "aria-hidden": "true" }, outlineDrawing(cells), mark)] : [];
  const prices = costs.flatMap((cost, at) => [...(at ? [" or "] : []), ...[...cost].map(symbolNode)]);
  const price = htmlNode("span", { class: "price" }, ...prices, ...(pawn ? [htmlNode("span", { class: "pawn", role: "img", "aria-label": "and a pawn" })] : []));
  return [htmlNode("strong", {}, name), ...drawn, price, htmlNode("span", { class: "gain" }, gain)];
}

function symbolNode(symbol: string): HTMLElement {
  const [sign, name] = SYMBOLS[symbol] ?? [symbol, symbol];
  return htmlNode("span", { class: "symbol", role: "img", "aria-label": name, "data-red": "HD".includes(symbol) }, sign);
}

/** Who has a pawn on this plate. */
function holdersOf({ frame, source: { game } }: Player, path: string, key: string): string {
  const seats = typeof game.seats === "number" ? game.seats : game.seats.length;
  const holds = (seat: number) => [valueAt(frame?.view?.facts, path.replace("@", String(seat)))].flat().some((one) => key.split(" ")[0] === one);
  return Array.from({ length: seats }, (_, seat) => seat).filter(holds).map((seat) => seatName(game, seat)).join(", ");
}
