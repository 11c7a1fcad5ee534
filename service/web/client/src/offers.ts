/** What can be had for cards, as plates beside the table: name, price, gain, and whose pawns stand there.
 *
 * A plate that lights up narrows what may be said; all of them stay, so that one can plan. */

import { valueAt } from "./chips.ts";
import { type Choice, type Saying, choiceOf, sayings } from "./choosing.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import { type Cell } from "./naming.ts";
import { seatName } from "./outcome.ts";
import { outlineDrawing } from "./outlines.ts";
import type { Player } from "./player.ts";

/** A plate: `domain/capabilities.py` says what the fields mean; what is as usual is left out. */
interface Offer {
  said: string;
  name: string;
  costs: string[];
  gain?: string;
  shape?: string[];
  mark?: string;
  pawn?: boolean;
}

/** The plates of one command. */
export interface Offers {
  tag?: string;
  pawns?: string;
  plates?: Offer[];
}

const SYMBOLS: Record<string, [sign: string, name: string]> = {
  S: ["♠", "a spade"], H: ["♥", "a heart"], D: ["♦", "a diamond"], C: ["♣", "a club"], J: ["J", "a jack"],
  Q: ["Q", "a queen"], K: ["K", "a king"], "?": ["?", "any card"],
};

/** The plates of these offers under the table of this player; `narrow` hears which is meant, null: none after all. */
export function offersFor(
  player: Player, { pawns = "", plates = [], tag }: Offers, narrow: (name: string | null) => void,
): (choice: Choice | null) => void {
  let open = new Map<string, Saying>(), said: string | null = null;
  const press = (key: string) => {
    const name = open.get(key)?.name ?? null;
    narrow(name === said ? null : name);
  };
  const entries = plates.map((offer) => {
    const { said: key } = offer, whose = htmlNode("span", { class: "whose" }), node = buttonNode("", () => press(key), { class: "offer", "data-offer": key });
    node.append(...partsOf(offer), whose);
    return { key, node, whose };
  });
  if (entries.length) {
    const stage = player.panel.parentElement;
    stage?.after(htmlNode("div", { class: "offers", role: "group", "aria-label": "What can be had" }, ...entries.map(({ node }) => node)));
    stage?.parentElement?.classList.add("offering");
  }
  return (choice) => {
    const all = choice ? sayings(choice.said === null ? choice : choiceOf(choice.options)) : [];
    open = new Map(all.filter(({ type }) => type === tag).map((saying) => [Object.values(saying.values).join(" "), saying]));
    said = choice?.said ?? null;
    for (const { key, node, whose } of entries) {
      node.disabled = !open.has(key);
      node.setAttribute("aria-pressed", String(said !== null && open.get(key)?.name === said));
      const standing = pawns ? holdersOf(player, pawns, key) : "";
      if (whose.textContent !== standing) whose.textContent = standing;
    }
  };
}

function partsOf({ name, costs, gain = "", shape = [], mark = "", pawn = false }: Offer): Node[] {
  const cells = shape.flatMap((row, down) => [...row].flatMap((sign, across): Cell[] => (sign === "X" ? [[down, across]] : [])));
  const drawn = cells.length ? [htmlNode("span", { class: "drawn" }, outlineDrawing(cells), mark)] : [];
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
