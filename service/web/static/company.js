/** What can be done with a game besides playing it: take a seat or leave it, play again, go on from a step. */

import { ask, gamePath, isOver } from "./api.js";
import { buttonNode, htmlNode } from "./markup.js";

/** A bar of buttons that fit the game as it stands: {node, update}. `signedIn`: whether somebody has a session here. */
export function companyFor(player, source, signedIn, changed) {
  const node = htmlNode("div", { class: "company" });
  const act = (work) => async () => {
    try {
      await work();
    } catch (failure) {
      player.tell(failure.message);
    }
  };
  return { node, update: () => node.replaceChildren(...buttonsOf(player, source, signedIn, changed, act)) };
}

function buttonsOf(player, source, signedIn, changed, act) {
  const { game } = source;
  if (!signedIn) return [htmlNode("a", { href: `/sign-in?back=/games/${game.id}` }, "Sign in to play")];
  if (game.status === "waiting") return [waitingButton(source, changed, act), ...seedForm(source, changed, act)];
  return isOver(game) ? [...againButtons(source, act), branchButton(player, source, act)] : [];
}

function waitingButton({ game }, changed, act) {
  const rest = game.your_seats.length ? "/leave" : "/join";
  const work = async () => changed(await ask("POST", gamePath(game.id, rest), rest === "/join" ? {} : null));
  return buttonNode(game.your_seats.length ? "Leave" : "Take a seat", act(work), { "data-do": rest.slice(1) });
}

/** A seed of one's own, where the deal waits for it. */
function seedForm({ game }, changed, act) {
  if (!game.await_seeds || !game.your_seats.length) return [];
  const field = htmlNode("input", { "aria-label": "Your own seed for the deal", placeholder: "Your own seed", maxlength: "64" });
  const work = async () => changed(await ask("POST", gamePath(game.id, "/seed"), { client_seed: field.value }));
  return [field, buttonNode("Give the seed", act(work), { "data-do": "seed" })];
}

function againButtons({ game }, act) {
  if (!game.your_seats.length) return [];
  const work = async () => open(await ask("POST", gamePath(game.id, "/rematch")));
  return [buttonNode("Play again", act(work), { "data-do": "rematch" })];
}

/** A finished game goes on from the step that is shown, as a game of one's own. */
function branchButton(player, { game }, act) {
  const work = async () => open(await ask("POST", gamePath(game.id, "/fork"), { step: player.step }));
  return buttonNode("Continue from here", act(work), { "data-do": "fork" });
}

function open({ data }) {
  location.assign(`/games/${data.id}`);
}
