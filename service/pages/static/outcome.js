/** How a game stands, in words. */

import { plainWords } from "./naming.js";

/** Phase, whose turn it is, and whether nothing useful is left. */
export function statusLine(frame, game) {
  if (!frame?.view) return "The cards are not dealt yet.";
  const seats = frame.view.to_act.map((seat) => seatName(game, seat));
  const turn = seats.length && !frame.result ? [`To act: ${seats.join(", ")}`] : [];
  return [plainWords(frame.view.phase), ...turn, ...(frame.view.stuck ? ["no useful move is left"] : [])].join(" · ");
}

/** A seat with the name of who holds it, as far as that is known. */
export function seatName(game, seat) {
  const name = game.players?.[seat];
  return name ? `${name} (seat ${seat})` : `seat ${seat}`;
}

/** How the game ended; empty while it goes on. */
export function resultLine(frame, game) {
  const result = frame?.result;
  if (!result) return "";
  const winners = (result.winners ?? []).map((seat) => seatName(game, seat)).join(", ");
  const scores = (result.scores ?? []).length ? `, score ${result.scores.join(" : ")}` : "";
  return `Game over: ${result.ending}${winners ? ` by ${winners}` : ""} (${plainWords(result.reason)})${scores}`;
}
