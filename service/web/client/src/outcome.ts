/** How a game stands, in words. */

import type { ShownGame } from "./api.ts";
import type { Frame, Moment } from "./api_types.ts";
import { plainWords, playerName } from "./naming.ts";

/** Phase, whose turn it is among several, and whether nothing useful is left; before the game begins, what it waits for. */
export function statusLine(frame: Frame | null, game: ShownGame): string {
  if (!frame?.view) return waitingLine(game);
  const seats = frame.view.to_act.map((seat) => seatName(game, seat)), phase = plainWords(frame.view.phase);
  const several = (typeof game.seats === "number" ? game.seats : game.seats.length) > 1 && !frame.result;
  const turn = seats.length && several ? [`To act: ${seats.join(", ")}`] : [];
  return [...(phase === "playing" ? [] : [phase]), ...turn, ...(frame.view.stuck ? ["no useful move is left"] : [])].join(" · ");
}

function waitingLine(game: ShownGame): string {
  if (game.status !== "waiting" || !Array.isArray(game.seats)) return "The game has not begun yet.";
  const empty = game.seats.filter(({ player }) => player === null).length;
  if (empty) return `The game has not begun yet: ${empty === 1 ? "a seat is" : `${empty} seats are`} empty.`;
  const whose = game.seats.length === 1 ? "its player's own seed" : "seeds of its players' own";
  return `The game has not begun yet: it waits for ${whose}.`;
}

/** Who sits there, by name as far as that is known. */
export function seatName(game: ShownGame, seat: number): string {
  return namePlayers(playerName(seat), game);
}

/** The text with names in place of `Player 1`, as far as they are known; who has several seats is named with them. */
export function namePlayers(text: string, { players }: ShownGame): string {
  return text.replaceAll(/\bPlayer (\d+)\b/g, (player, number: string) => {
    const name = players[Number(number) - 1];
    return name ? `${name}${players.indexOf(name) === players.lastIndexOf(name) ? "" : ` (${number})`}` : player;
  });
}

/** The frame with names in its sentences and labels. */
export function nameFrame(frame: Frame, game: ShownGame): Frame {
  const zones = frame.view?.zones.map((zone) => ({ ...zone, label: namePlayers(zone.label, game) })) ?? [];
  const sentences = frame.sentences.map((sentence) => namePlayers(sentence, game));
  return { ...frame, sentences, view: frame.view && { ...frame.view, zones } };
}

/** The moment with names in its sentence. */
export function nameMoment(moment: Moment, game: ShownGame): Moment {
  return { ...moment, sentence: namePlayers(moment.sentence, game) };
}

/** How the game ended; empty while it goes on. */
export function resultLine(frame: Frame | null, game: ShownGame): string {
  const result = frame?.result;
  if (!result) return "";
  const winners = (result.winners ?? []).map((seat) => seatName(game, seat)).join(", ");
  const scores = result.scores?.length ? `, score ${result.scores.join(" : ")}` : "";
  return `Game over: ${result.ending}${winners ? ` by ${winners}` : ""} (${plainWords(result.reason)})${scores}`;
}
