/** How a game stands, in words. */

import { plainWords } from "./naming.js";

/** Phase, whose turn it is, and whether nothing useful is left; before the game begins, what it waits for. */
export function statusLine(frame, game) {
  if (!frame?.view) return waitingLine(game);
  const seats = frame.view.to_act.map((seat) => seatName(game, seat));
  const turn = seats.length && !frame.result ? [`To act: ${seats.join(", ")}`] : [];
  return [plainWords(frame.view.phase), ...turn, ...(frame.view.stuck ? ["no useful move is left"] : [])].join(" · ");
}

function waitingLine(game) {
  if (game.status !== "waiting" || !Array.isArray(game.seats)) return "The game has not begun yet.";
  const empty = game.seats.filter(({ player }) => player === null).length;
  if (empty) return `The game has not begun yet: ${empty === 1 ? "a seat is" : `${empty} seats are`} empty.`;
  const whose = game.seats.length === 1 ? "its player's own seed" : "seeds of its players' own";
  return `The game has not begun yet: it waits for ${whose}.`;
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
