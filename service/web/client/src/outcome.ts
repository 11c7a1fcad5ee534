/** How a game stands, in words. */

import type { ShownGame } from "./api.ts";
import type { Frame } from "./api_types.ts";
import { plainWords } from "./naming.ts";

/** Phase, whose turn it is, and whether nothing useful is left; before the game begins, what it waits for. */
export function statusLine(frame: Frame | null, game: ShownGame): string {
  if (!frame?.view) return waitingLine(game);
  const seats = frame.view.to_act.map((seat) => seatName(game, seat));
  const turn = seats.length && !frame.result ? [`To act: ${seats.join(", ")}`] : [];
  return [plainWords(frame.view.phase), ...turn, ...(frame.view.stuck ? ["no useful move is left"] : [])].join(" · ");
}

function waitingLine(game: ShownGame): string {
  if (game.status !== "waiting" || !Array.isArray(game.seats)) return "The game has not begun yet.";
  const empty = game.seats.filter(({ player }) => player === null).length;
  if (empty) return `The game has not begun yet: ${empty === 1 ? "a seat is" : `${empty} seats are`} empty.`;
  const whose = game.seats.length === 1 ? "its player's own seed" : "seeds of its players' own";
  return `The game has not begun yet: it waits for ${whose}.`;
}

/** A seat with the name of who holds it, as far as that is known. */
export function seatName({ players }: ShownGame, seat: number): string {
  const name = players[seat];
  return name ? `${name} (seat ${seat})` : `seat ${seat}`;
}

/** The text with names in place of seats, as far as they are known. */
export function nameSeats(text: string, { players }: ShownGame): string {
  return text.replaceAll(/\b[Ss]eat (\d+)\b/g, (seat, number: string) => players[Number(number)] ?? seat);
}

/** How the game ended; empty while it goes on. */
export function resultLine(frame: Frame | null, game: ShownGame): string {
  const result = frame?.result;
  if (!result) return "";
  const winners = (result.winners ?? []).map((seat) => seatName(game, seat)).join(", ");
  const scores = result.scores?.length ? `, score ${result.scores.join(" : ")}` : "";
  return `Game over: ${result.ending}${winners ? ` by ${winners}` : ""} (${plainWords(result.reason)})${scores}`;
}
