/** What can be done with a game that is over: play again, go on from a step. */

import { type ApiSource, ask, gamePath, isOver } from "./api.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import type { Player } from "./player.ts";

/** A press that does this work, and tells what went wrong. */
type Act = (work: () => Promise<void>) => () => void;

interface Opened {
  id: string;
  your_seats: number[];
}

/** A bar of buttons that fit the game as it stands: {node, update}. `signedIn`: whether somebody has a session here. */
export function companyFor(
  player: Player, source: ApiSource, signedIn: boolean,
): { node: HTMLElement; update: () => void } {
  const node = htmlNode("div", { class: "company" });
  const act: Act = (work) => () => void work().catch((failure: Error) => player.tell(failure.message));
  return { node, update: () => node.replaceChildren(...buttonsOf(player, source, signedIn, act)) };
}

function buttonsOf(
  player: Player, source: ApiSource, signedIn: boolean, act: Act,
): HTMLElement[] {
  const { game } = source;
  if (!isOver(game)) return [];
  if (!signedIn) return [htmlNode("a", { href: `/sign-in?back=/games/${game.id}` }, "Sign in to play")];
  return [...againButtons(source, act), branchButton(player, source, act)];
}

function againButtons(source: ApiSource, act: Act): HTMLElement[] {
  if (!source.game.your_seats.length) return [];
  return [buttonNode("Play again", act(() => openRematch(source)), { "data-do": "rematch" })];
}

/** Whether anybody else than the house has played here. */
export function isAmongPeople({ game: { players, your_seats: own } }: ApiSource): boolean {
  return players.some((name, seat) => !own.includes(seat) && !name?.startsWith("House ("));
}

/** Goes to the same game with the seats exchanged; who asks second sits down at the table that is open. */
export async function openRematch({ game }: ApiSource): Promise<void> {
  const opened = await ask<Opened>("POST", gamePath(game.id, "/rematch"));
  if (opened.data.your_seats.length === 0) await ask("POST", gamePath(opened.data.id, "/join"), {});
  open(opened);
}

/** A finished game goes on from the step that is shown, as a game of one's own. */
function branchButton(player: Player, { game }: ApiSource, act: Act): HTMLElement {
  const work = () => openFork(game.id, player.step);
  return buttonNode("Continue from here", act(work), { "data-do": "fork" });
}

/** Goes to a game of one's own that goes on from this step. */
export function openFork(id: string, step: number): Promise<void> {
  return ask<Opened>("POST", gamePath(id, "/fork"), { step }).then(open);
}

function open({ data }: { data: Opened }): void {
  location.assign(`/games/${data.id}`);
}
