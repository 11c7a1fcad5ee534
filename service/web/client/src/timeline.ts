/** The strip under the board, all steps of a game: how long each took, whose it was, its moments; a slider goes along it. */

import type { Branch, Source } from "./api.ts";
import type { Moment, VerdictSpan } from "./api_types.ts";
import { type Clock, spanWords, spentOn } from "./clock.ts";
import { htmlNode, setAttributes, svgNode } from "./markup.ts";

const HIGH = 100, LOWEST = 6, HIGHEST = 74, COLOURS = 6, LONG_PAUSE = 20, NEAR = 9, MARKED = 8, SAID = 92;

export interface Timeline {
  node: HTMLElement;
  slider: HTMLInputElement;
  update: (step: number, steps: number, moments: Moment[]) => void;
  verdicts: VerdictSpan[];
  said: number[];
}

/** The parts of a strip, and what it shows. */
interface Strip {
  clock: Clock;
  names: string[];
  moments: Moment[];
  steps: number;
  drawn: string;
  svg: SVGSVGElement;
  bars: SVGPathElement[];
  marks: SVGPathElement;
  played: SVGPathElement;
  slider: HTMLInputElement;
  tip: HTMLElement;
  verdicts: VerdictSpan[];
  said: number[];
  /** Where the pointer is, which may come before the moments. */
  pointed: number | null;
}

/** A strip of this game's clock and forks; `names` by seat, `go` is told the step that somebody slides to. */
export function timelineFor({ clock, branches }: Source, names: string[], go: (step: number) => void): Timeline {
  const last = Math.max(clock.times.length - 1, 1);
  const strip = newStrip(clock, names, go), { svg, slider, tip } = strip;
  const track = htmlNode("div", { class: "track" }, svg, slider, ...branches.map((branch) => branchLink(branch, last)), tip);
  const legend = htmlNode("ul", { class: "legend", "aria-label": "Whose steps", hidden: names.length < 2 },
    ...names.map((name, seat) => htmlNode("li", { class: `whose-${colourOf(seat)}` }, name)));
  slider.addEventListener("pointermove", ({ clientX }) => tellNear(strip, clientX));
  slider.addEventListener("pointerleave", () => {
    strip.pointed = null;
    tellShown(strip);
  });
  for (const event of ["focus", "blur"]) slider.addEventListener(event, () => tellShown(strip));
  const node = htmlNode("div", { class: "timeline" }, track, legend);
  return {
    node, slider, verdicts: strip.verdicts, said: strip.said,
    update: (step, steps, moments) => updateStrip(strip, step, steps, moments),
  };
}

const JUDGED = { won: "could be won", impossible: "lost", open: "not known" };

/** Colours the strip by what could still be won, as far as that is known now. */
export function judge({ node, verdicts }: Timeline, spans: VerdictSpan[]): void {
  verdicts.splice(0, verdicts.length, ...spans);
  const kinds = (["won", "impossible", "open"] as const).filter((kind) => spans.some(({ verdict }) => verdict === kind));
  const bands = kinds.map((kind) => svgNode("path", {
    class: `verdict-${kind}`,
    d: spans.filter(({ verdict }) => verdict === kind).map(({ first, last }) => `M${first - 0.5} 0H${last + 0.5}V${HIGH}H${first - 0.5}z`).join(""),
  }));
  for (const before of node.querySelectorAll(".track path[class^='verdict'], .legend.verdicts")) before.remove();
  node.querySelector(".track svg")?.prepend(...bands);
  node.append(htmlNode("ul", { class: "legend verdicts", "aria-label": "What could still be won" },
    ...kinds.map((kind) => htmlNode("li", { class: `verdict-${kind}` }, JUDGED[kind]))));
}

/** Marks the steps at which somebody said something: one for each comment. */
export function markSaid({ node, said }: Timeline, steps: number[]): void {
  said.splice(0, said.length, ...steps);
  const mark = node.querySelector(".track .said") ?? svgNode("path", { class: "said" });
  setAttributes(mark, { d: [...new Set(steps)].map((step) => `M${step} ${SAID}h0`).join("") });
  node.querySelector(".track svg")?.append(mark);
}

function saidWords(said: number[], step: number): string | undefined {
  const many = said.filter((one) => one === step).length;
  return many ? `${many} comment${many > 1 ? "s" : ""}` : undefined;
}

function verdictWords(verdicts: VerdictSpan[], step: number): string | undefined {
  const span = verdicts.find(({ first, last }) => first <= step && step <= last);
  return span && JUDGED[span.verdict];
}

/** A link to a game that left this one, at the step after which it did. */
function branchLink({ step, game, by }: Branch, last: number): HTMLElement {
  const name = `From step ${step} on, by ${by ?? "an erased player"}`;
  const link = htmlNode("a", { class: "branch", href: `/games/${game}#step=${step}`, "aria-label": name, title: name }, "⑂");
  link.style.left = `calc(var(--thumb) / 2 + (100% - var(--thumb)) * ${step / last})`;
  return link;
}

function newStrip(clock: Clock, names: string[], go: (step: number) => void): Strip {
  const slider = htmlNode("input", {
    type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", input: () => go(Number(slider.value)),
  });
  const bars = Array.from({ length: COLOURS + 1 }, (_, colour) => svgNode("path", { class: `whose-${colour}` }));
  const [marks, played] = [svgNode("path", { class: "marks" }), svgNode("path", { class: "played" })];
  const svg = svgNode("svg", { "aria-hidden": "true", preserveAspectRatio: "none" }, ...bars, played, marks);
  return {
    clock, names, moments: [], steps: 0, drawn: "", svg, bars, marks, played, slider,
    tip: htmlNode("p", { class: "tip", hidden: true }), verdicts: [], said: [], pointed: null,
  };
}

/** A seat's colour; the last one is nobody's. */
function colourOf(seat: number | null | undefined): number {
  return typeof seat === "number" ? seat % COLOURS : COLOURS;
}

function updateStrip(strip: Strip, step: number, steps: number, moments: Moment[]): void {
  const { slider, played, svg } = strip, last = Math.max(steps - 1, 1), told = momentAt(moments, step);
  Object.assign(strip, { moments, steps });
  slider.max = String(Math.max(steps - 1, 0));
  slider.value = String(step);
  const more = [verdictWords(strip.verdicts, step), saidWords(strip.said, step)];
  const said = [`step ${step} of ${steps - 1}`, ...more].filter(Boolean).join(", ");
  slider.setAttribute("aria-valuetext", told ? `${said}: ${told.sentence}` : said);
  setAttributes(svg, { viewBox: `0 0 ${last} ${HIGH}` });
  setAttributes(played, { d: `M0 ${HIGH}H${Math.min(step, last)}` });
  const name = `${steps} ${moments.length}`;
  if (strip.drawn !== name) drawStrip(strip);
  strip.drawn = name;
  tellShown(strip);
}

/** One path for each colour however long the game is; on a logarithm's scale an hour does not hide a second. */
function drawStrip({ clock, steps, moments, bars, marks }: Strip): void {
  const spent = Array.from({ length: steps }, (_, step) => spentOn(clock, step));
  const most = Math.log1p(Math.max(LONG_PAUSE, ...spent)), lines = bars.map(() => "");
  for (const [step, seconds] of spent.entries()) {
    const top = HIGH - LOWEST - HIGHEST * Math.log1p(seconds) / most;
    lines[colourOf(clock.seats[step])] += `M${step - 0.4} ${HIGH}V${top.toFixed(1)}h.8V${HIGH}`;
  }
  bars.forEach((bar, at) => setAttributes(bar, { d: lines[at] }));
  setAttributes(marks, { d: moments.map(({ step }) => `M${step} ${MARKED}h0`).join("") });
}

function momentAt(moments: Moment[], step: number): Moment | undefined {
  return moments.find((moment) => moment.step === step);
}

/** The step under the pointer, or the moment that is nearly there, in words. */
function tellNear(strip: Strip, clientX: number): void {
  strip.pointed = clientX;
  const { left, width } = strip.svg.getBoundingClientRect(), last = strip.steps - 1;
  const at = (clientX - left) / Math.max(width, 1) * last, step = Math.min(Math.max(Math.round(at), 0), last);
  const near = strip.moments.filter((one) => Math.abs(one.step - at) * width / Math.max(last, 1) < NEAR);
  near.sort((one, other) => Math.abs(one.step - at) - Math.abs(other.step - at));
  tell(strip, near[0]?.step ?? step);
}

/** Whoever works the slider by keys hears of the step that is shown, whoever points at it of the one there. */
function tellShown(strip: Strip): void {
  if (strip.slider.matches(":focus-visible")) tell(strip, Number(strip.slider.value));
  else if (strip.pointed !== null) tellNear(strip, strip.pointed);
  else strip.tip.hidden = true;
}

function tell({ clock, names, moments, said, steps, tip, verdicts }: Strip, step: number): void {
  const spent = spentOn(clock, step), who = names.length > 1 ? names[clock.seats[step] ?? -1] : undefined;
  const more = [who, spent ? spanWords(spent) : undefined, verdictWords(verdicts, step), saidWords(said, step)];
  const words = [`Step ${step}`, ...more].filter(Boolean).join(", "), moment = momentAt(moments, step);
  tip.textContent = moment ? `${words}: ${moment.sentence}` : words;
  tip.hidden = false;
  const share = step / Math.max(steps - 1, 1);
  tip.style.left = `${100 * share}%`;
  tip.style.transform = `translateX(${-100 * share}%)`;
}
