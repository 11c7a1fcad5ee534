/** Comments on a game that is over: those of the step that is shown, marked on the strip, and a form to write one. */

import { type ApiSource, ask, gamePath, isOver } from "./api.ts";
import type { Comment, CommentList } from "./api_types.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import { type Player, redraw } from "./player.ts";
import { markSaid } from "./timeline.ts";

/** `visitor` is signed in, and is the `opener` of the game or not; `any`: there are comments. */
interface Terms {
  visitor: string | null;
  opener: boolean;
  any: boolean;
}

/** The comments of one game, the elements that show them, and who looks at them. */
interface Talk extends Terms {
  player: Player;
  id: string;
  found: Comment[];
  list: HTMLElement;
  said: HTMLElement;
  label: HTMLElement;
}

/** Puts the comments under the strip once the game is over; where there are some, they are asked for. */
export function startComments(player: Player, source: ApiSource, terms: Terms): void {
  const node = htmlNode("section", { class: "comments", "aria-label": "Comments", hidden: true });
  const talk: Talk = {
    ...terms, player, id: source.game.id, found: [], list: htmlNode("ul", { tabindex: 0, "aria-label": "Comments on this step" }), said: htmlNode("p", { role: "status" }),
    label: htmlNode("span"),
  };
  node.append(talk.list, terms.visitor ? formOf(talk) : signInLink(talk), talk.said);
  player.controls.node.append(node);
  const offer = () => {
    const over = isOver(source.game) || (player.frame && isOver(player.frame));
    if (node.hidden && over) {
      node.hidden = false;
      if (terms.any) load(talk).catch((failure: Error) => { talk.said.textContent = failure.message; });
    }
    showStep(talk);
  };
  player.listeners.push(offer);
  offer();
}

async function load(talk: Talk): Promise<void> {
  let cursor: string | undefined, found: Comment[] = [];
  do {
    const { data } = await ask<CommentList>("GET", gamePath(talk.id, "/comments", { cursor, limit: 100 }));
    found = [...found, ...data.comments];
    cursor = data.next ?? undefined;
  } while (cursor);
  talk.found = found;
  mark(talk);
}

/** Brings the strip and the list up to date. */
function mark(talk: Talk): void {
  markSaid(talk.player.timeline, talk.found.map(({ step }) => step));
  redraw(talk.player);
  showStep(talk);
}

function showStep(talk: Talk): void {
  const { found, label, list, player: { step } } = talk;
  label.textContent = `Comment on step ${step}`;
  list.replaceChildren(...found.filter((one) => one.step === step).map((one) => commentNode(talk, one)));
}

function commentNode(talk: Talk, { id, by, text }: Comment): HTMLElement {
  const node = htmlNode("li", {}, htmlNode("b", {}, by.name ?? "an erased player"), ": ", htmlNode("span", { dir: "auto" }, text));
  const remove = () => attempt(talk, async () => {
    await ask("DELETE", gamePath(talk.id, `/comments/${id}`));
    talk.found = talk.found.filter((one) => one.id !== id);
  });
  if (talk.opener || by.id === talk.visitor) node.append(" ", buttonNode("Delete", remove, { class: "quiet" }));
  return node;
}

function formOf(talk: Talk): HTMLElement {
  const input = htmlNode("input", { name: "text", maxlength: 500, required: true, autocomplete: "off" });
  const write = (event: Event) => {
    event.preventDefault();
    const { frame } = talk.player, text = input.value.trim();
    if (frame && text) attempt(talk, async () => {
      const { data } = await ask<Comment>("POST", gamePath(talk.id, "/comments"), { version: frame.version, text });
      talk.found = [...talk.found, data];
      input.value = "";
    });
  };
  return htmlNode("form", { submit: write }, htmlNode("label", {}, talk.label, " ", input), htmlNode("button", {}, "Say it"));
}

function signInLink({ id }: Talk): HTMLElement {
  return htmlNode("p", {}, htmlNode("a", { href: `/sign-in?back=/games/${id}` }, "Sign in to comment"));
}

/** Does this, and says what went wrong. */
function attempt(talk: Talk, work: () => Promise<void>): void {
  talk.said.textContent = "";
  work().then(() => mark(talk), (failure: Error) => { talk.said.textContent = failure.message; });
}
