/** How a game stands, in words. */

import type { ShownGame, Source } from "./api.ts";
import type { Frame, Moment } from "./api_types.ts";
import { plainWords, playerName } from "./naming.ts";

/** Phase, whose turn it is among several, and whether nothing useful is left. */
export function statusLine(frame: Frame | null, { game, phases }: Source): string {
  if (!frame?.view) return "The game has not begun yet.";
  const seats = frame.view.to_act.map((seat) => seatName(game, seat)), phase = phases[frame.view.phase] ?? plainWords(frame.view.phase);
  const several = (typeof game.seats === "number" ? game.seats : game.seats.length) > 1 && !frame.result;
  const [mine, ...others] = game.your_seats ?? [], own = mine !== undefined && !others.length && frame.view.to_act.includes(mine);
  const turn = seats.length && several ? [own ? "Your move" : `To act: ${seats.join(", ")}`] : [];
  return [...(frame.result || ["playing", "play", "turns", "turn", "action"].includes(phase) ? [] : [phase]), ...turn, ...(frame.view.stuck ? [phases["stuck"] ?? "No useful move is left"] : [])].join(" · ");
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
  }).replaceAll(/House \([^)]*\) won/g, "The House won");
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

const CAUSES: Record<string, string> = {
  resigned: "given up", timed_out: "time ran out", no_moves: "no move is left", agreed: "by agreement", closed: "the table was closed",
  not_begun: "it never began",
};

/** How the game ended, to whoever looks: `You lost to the House, 0 : 10`; empty while it goes on. */
export function resultLine(frame: Frame | null, game: ShownGame): string {
  const result = frame?.result;
  if (!result) return "";
  const { ending, reason, winners = [], scores = [] } = result, own = game.your_seats ?? [];
  const seats = game.players.map((_, seat) => seat), others = seats.filter((seat) => !winners.includes(seat));
  const alone = seats.length < 2 || own.length === seats.length, mine = winners.some((seat) => own.includes(seat));
  const cause = CAUSES[reason] ?? (alone && ending === "lost" ? plainWords(reason) : ""), because = cause && ` (${cause})`;
  const points = scores.length && reason !== "all_home" ? `, ${alone ? "score " : ""}${scoresFrom(scores, own).join(" : ")}` : "";
  if (ending === "abandoned") return `Left unfinished${because}`;
  if (alone && own.length && ending === "won") return `You won${because}${points || "!"}`;
  if (alone) return `${own.length ? "You " : ""}${ending}${because}${points}`.replace(/^./, (first) => first.toUpperCase());
  if (!winners.length) return `${own.length ? `A draw with ${listNames(seats.filter((seat) => !own.includes(seat)), game)}` : "A draw"}${because}${points}`;
  if (own.length && !mine) return `You lost to ${listNames(winners, game)}${because}${points}`;
  return `${mine ? "You" : listNames(winners, game)} won against ${listNames(others, game)}${because}${points}`.replace(/^the House/, "The House");
}

/** Of two, one's own first. */
function scoresFrom(scores: number[], own: number[]): number[] {
  return scores.length === 2 && own.length === 1 && own[0] === 1 ? scores.toReversed() : scores;
}

function listNames(seats: number[], game: ShownGame): string {
  const names = seats.map((seat) => seatName(game, seat).replace(/^House \(.*/, "the House"));
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
}
