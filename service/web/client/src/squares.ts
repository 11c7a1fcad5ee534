/** One's own board on the table while cells are picked: it is marked as the picker under it is, and tapped in its place. */

import { setAttributes } from "./markup.ts";
import { type Player, seatOf } from "./player.ts";

/** Keeps the squares on the table and the picker in the panel alike. */
export function startSquares(player: Player): void {
  const { svg, panel } = player, felt = svg.querySelector(".felt"), observer = new MutationObserver(() => markSquares(player));
  observer.observe(panel, { childList: true, subtree: true, attributeFilter: ["class", "aria-pressed"] });
  if (felt) observer.observe(felt, { childList: true });
  svg.addEventListener("click", ({ target }) => tapSquare(player, target));
  for (const [over, event] of [["pointerover", "pointerenter"], ["pointerout", "pointerleave"]] as const) {
    svg.addEventListener(over, ({ target }) => buttonOf(player, target)?.dispatchEvent(new PointerEvent(event)));
  }
}

function markSquares({ svg, panel, viewer }: Player): void {
  const buttons = new Map([...panel.querySelectorAll<HTMLButtonElement>(".cell")].map((one) => [one.dataset["cell"], one]));
  const own = svg.querySelectorAll<SVGElement>(`.felt [data-fact^="seats.${seatOf(viewer)}."] [data-square]`);
  for (const square of own) {
    const button = buttons.get(square.dataset["square"]);
    setAttributes(square, { "data-pick": button?.ariaDisabled === "false" ? markOf(button) : null });
  }
}

function markOf({ ariaPressed, classList }: HTMLButtonElement): string {
  if (ariaPressed === "true") return "chosen";
  return ["preview", "handle"].find((name) => classList.contains(name)) ?? "open";
}

/** The picker's button for a square that is marked. */
function buttonOf({ panel }: Player, target: EventTarget | null): HTMLButtonElement | null {
  const cell = target instanceof Element ? target.closest<SVGElement>("[data-pick]")?.dataset["square"] : undefined;
  return cell === undefined ? null : panel.querySelector(`.cell[data-cell="${cell}"]`);
}

/** A square that is chosen says it, as far as one way is left: tap, look, tap. */
function tapSquare(player: Player, target: EventTarget | null): void {
  const button = buttonOf(player, target), say = player.panel.querySelector<HTMLButtonElement>(".cells .say:not(:disabled)");
  (button?.ariaPressed === "true" && say ? say : button)?.click();
}
