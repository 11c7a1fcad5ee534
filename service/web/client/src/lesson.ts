/** A first lesson at a table: one rule a step, the card it asks for lights up; the game's own commands say where one is. */

import type { Command, Frame } from "./api_types.ts";
import { buttonNode, htmlNode } from "./markup.ts";
import type { Play } from "./play.ts";
import type { Player } from "./player.ts";
import { isSame } from "./undone.ts";

const ANSWER_PACE = 900, OPPONENT = 1;

/** What the page is told of a step: a sentence, the commands that lead to the next one (`by` of `opponent`: the page says
 * it), and the zones that it speaks of. */
export interface LessonStep {
  say: string;
  commands: (Command & { by?: "opponent" })[];
  look?: string[];
}

/** A command of the lesson, who says it and the step that it belongs to. */
interface Move {
  command: Command;
  opponent: boolean;
  step: number;
}

/** A lesson under way: so many moves are `made`, `astray` of others came after them, and up to `goal` the page makes them itself;
 * `returns`: it takes back what is astray. */
interface Lesson {
  player: Player;
  play: Play;
  steps: LessonStep[];
  moves: Move[];
  undoes: boolean;
  made: number;
  astray: number;
  goal: number;
  returns: boolean;
  asked: string;
  over: boolean;
  node: HTMLElement;
  place: HTMLElement;
  words: HTMLElement;
  buttons: Record<"show" | "back" | "skip" | "leave", HTMLButtonElement>;
}

/** Leads whoever plays in this player through the steps; `undoes`: moves can be taken back here. */
export function startLesson(player: Player, play: Play, steps: LessonStep[], undoes: boolean): void {
  const moves = steps.flatMap(({ commands }, step) => commands.map(({ by, ...command }) => ({ command, opponent: by === "opponent", step })));
  const place = htmlNode("p", { class: "lesson-step" }), words = htmlNode("p", { class: "lesson-words", role: "status" });
  const lesson: Lesson = {
    player, play, steps, moves, undoes, made: 0, astray: 0, goal: 0, returns: false, asked: "", over: false, place, words,
    node: htmlNode("section", { class: "lesson", "aria-label": "Lesson" }),
    buttons: {
      show: buttonNode("Show me", () => aim(lesson, lesson.made + 1), { class: "say" }),
      back: buttonNode("Take it back", () => aim(lesson, 0, true), { class: "say" }),
      skip: buttonNode("Skip", () => aim(lesson, moves.findLastIndex(({ step }) => step === stepOf(lesson)) + 1)),
      leave: buttonNode("Leave the lesson", () => leave(lesson), { class: "leave" }),
    },
  };
  lesson.node.append(place, words, htmlNode("div", { class: "lesson-buttons" }, ...Object.values(lesson.buttons)));
  player.svg.before(lesson.node);
  lesson.node.closest(".kibitz")?.classList.add("taught");
  play.guide(true, (command) => refusal(lesson, command));
  player.listeners.push(() => void lookAgain(lesson));
  play.listeners.push(() => goOn(lesson));
  void lookAgain(lesson);
}

/** The step one is at: that of the next command; after the last one there is no such step. */
function stepOf({ moves, made, steps }: Lesson): number {
  return moves[made]?.step ?? steps.length;
}

/** Where nothing can be taken back another move is not made: the lesson could not go on. */
function refusal({ moves, made, undoes, over }: Lesson, command: Command): string | null {
  const move = moves[made];
  if (over || undoes || !move || command.type.startsWith("game/") || isSame(command, move.command)) return null;
  return "You may do that, too. Here the lesson shows another move.";
}

/** The page makes moves until so many are made, or takes back those that the lesson does not have. */
function aim(lesson: Lesson, goal: number, returns = false): void {
  Object.assign(lesson, { goal, returns, asked: "" });
  goOn(lesson);
}

/** A frame is shown: where one is follows from the commands that stand. */
async function lookAgain(lesson: Lesson): Promise<void> {
  const { player, moves } = lesson, frames: (Frame | null)[] = [], steps = player.steps;
  if (lesson.over) return;
  for (let step = 0; step < steps; step += 1) frames.push(await player.frames.at(player.viewer, step).catch(() => null));
  if (steps !== player.steps) return;
  const line = standing(frames);
  const isMade = ({ seat, command }: Frame, { opponent, command: own }: Move) => (
    opponent ? seat === OPPONENT : Boolean(command && isSame(command, own)));
  const strange = line.findIndex((frame, at) => {
    const move = moves[at];
    return !(move && isMade(frame, move));
  });
  lesson.made = strange < 0 ? line.length : strange;
  lesson.astray = lesson.made === moves.length ? 0 : line.length - lesson.made;
  if (lesson.made >= lesson.goal) lesson.goal = 0;
  lesson.returns &&= lesson.astray > 0;
  draw(lesson);
  goOn(lesson);
}

/** The frames whose commands stand: after an undo those up to the step that stands again. */
function standing(frames: (Frame | null)[]): Frame[] {
  return frames.reduce<Frame[]>((line, frame) => {
    if (frame && frame.live_step < frame.step) return line.filter(({ step }) => step <= frame.live_step);
    return frame?.view && frame.seat !== null ? [...line, frame] : line;
  }, []);
}

function draw(lesson: Lesson): void {
  const { steps, place, words, buttons, astray, node, player } = lesson, at = stepOf(lesson), step = steps[at];
  const count = step ? `Step ${at + 1} of ${steps.length}` : "The end of the lesson";
  const sentence = !step ? "Now you know enough to play. Go on with these cards, or take a table of your own."
    : astray ? "A good move, too. The lesson shows another one here: take it back, or go on by yourself." : step.say;
  place.textContent = count;
  if (words.textContent !== sentence) words.textContent = sentence;
  buttons.show.hidden = buttons.skip.hidden = !step || astray > 0;
  buttons.back.hidden = !step || astray === 0;
  buttons.leave.textContent = step ? "Leave the lesson" : "Play on here";
  for (const zone of player.svg.querySelectorAll<SVGElement>("[data-zone-id]")) {
    zone.toggleAttribute("data-look", Boolean(!astray && step?.look?.includes(zone.dataset["zoneId"] ?? "")));
  }
  const ending = node.querySelector(".lesson-end"), made = document.querySelector<HTMLTemplateElement>("#kibitz-lesson-end");
  if (step) ending?.remove();
  else if (!ending && made) buttons.leave.before(htmlNode("div", { class: "lesson-end" }, made.content.cloneNode(true)));
}

/** Lights what the step asks for, and makes the moves that are the page's to make, each once. */
function goOn(lesson: Lesson): void {
  const { player, play, moves, made, astray, goal, over } = lesson, move = moves[made], choice = play.choice();
  if (over || !player.following || player.frame?.status !== "playing") return;
  const turn = `${player.frame.version} ${made} ${goal}`, asks = lesson.asked !== turn;
  if (astray) {
    if (lesson.returns && asks && choice) sayOnce(lesson, turn, () => play.undo());
    return;
  }
  if (move?.opponent) {
    if (asks) sayOnce(lesson, turn, () => setTimeout(() => play.sayAs(OPPONENT, move.command), ANSWER_PACE));
    return;
  }
  const option = move && choice?.options.find(({ command }) => isSame(command, move.command));
  if (!option) return;
  if (made < goal && asks) return sayOnce(lesson, turn, () => play.say(option.command));
  const places = [...option.tap, ...option.slots.flatMap((slot) => slot.places)], touched = choice?.touched ?? [];
  if (touched.every((key) => places.includes(key))) player.table.light(new Set(places.filter((key) => !touched.includes(key))), touched);
  const { command } = option, exact = `[data-command='${JSON.stringify(command)}']`, plate = `[data-offer="${Object.values(option.values).join(" ")}"]`;
  const aimed = player.panel.querySelector(exact) ?? player.panel.querySelector(`.say[data-say="${command.type}"]`) ?? document.querySelector(plate);
  for (const button of document.querySelectorAll(".kibitz .say, .kibitz .offer")) button.classList.toggle("aimed", button === aimed);
}

function sayOnce(lesson: Lesson, turn: string, say: () => void): void {
  lesson.asked = turn;
  say();
}

/** The game goes on as any other. */
function leave(lesson: Lesson): void {
  const { player, play, node } = lesson;
  lesson.over = true;
  node.closest(".kibitz")?.classList.remove("taught");
  node.remove();
  for (const zone of player.svg.querySelectorAll("[data-look]")) zone.removeAttribute("data-look");
  history.replaceState(null, "", location.pathname + location.hash);
  play.guide(false, () => null);
}
