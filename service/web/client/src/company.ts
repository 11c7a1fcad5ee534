/** What can be done with a game besides playing it: take a seat or leave it, play again, go on from a step. */

import { type ApiSource, ask, gamePath, isOver } from "./api.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import type { Player } from "./player.ts";

/** A press that does this work, and tells what went wrong. */
type Act = (work: () => Promise<void>) => () => void;

interface Opened {
  id: string;
}

/** A bar of buttons that fit the game as it stands: {node, update}. `signedIn`: whether somebody has a session here. */
export function companyFor(
  player: Player, source: ApiSource, signedIn: boolean, changed: () => Promise<void>,
): { node: HTMLElement; update: () => void } {
  const node = htmlNode("div", { class: "company" });
  const act: Act = (work) => () => void work().catch((failure: Error) => player.tell(failure.message));
  return { node, update: () => node.replaceChildren(...buttonsOf(player, source, signedIn, changed, act)) };
}

function buttonsOf(
  player: Player, source: ApiSource, signedIn: boolean, changed: () => Promise<void>, act: Act,
): HTMLElement[] {
  const { game } = source;
  const seatFree = game.status === "waiting" && game.seats.some(({ player: held }) => held === null);
  if (!signedIn) return !seatFree && !isOver(game) ? [] : [htmlNode("a", { href: `/sign-in?back=/games/${game.id}` }, "Sign in to play")];
  if (game.status === "waiting") return [waitingButton(source, changed, act), ...seedForm(source, changed, act)];
  return isOver(game) ? [...againButtons(source, act), branchButton(player, source, act)] : [];
}

function waitingButton({ game }: ApiSource, changed: () => Promise<void>, act: Act): HTMLElement {
  const rest = game.your_seats.length ? "/leave" : "/join";
  const work = () => ask("POST", gamePath(game.id, rest), rest === "/join" ? {} : null).then(changed);
  return buttonNode(game.your_seats.length ? "Leave" : "Take a seat", act(work), { "data-do": rest.slice(1) });
}

/** A seed of one's own, where the deal waits for it. */
function seedForm({ game }: ApiSource, changed: () => Promise<void>, act: Act): HTMLElement[] {
  if (!game.await_seeds || !game.your_seats.length) return [];
  const field = htmlNode("input", { "aria-label": "Your own seed for the deal", placeholder: "Your own seed", maxlength: "64" });
  const work = () => ask("POST", gamePath(game.id, "/seed"), { client_seed: field.value }).then(changed);
  return [field, buttonNode("Give the seed", act(work), { "data-do": "seed" })];
}

function againButtons({ game }: ApiSource, act: Act): HTMLElement[] {
  if (!game.your_seats.length) return [];
  const work = () => ask<Opened>("POST", gamePath(game.id, "/rematch")).then(open);
  return [buttonNode("Play again", act(work), { "data-do": "rematch" })];
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
