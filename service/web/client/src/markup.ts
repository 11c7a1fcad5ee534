/** Elements by name, attributes and children; data that the page holds. */

const SVG_SPACE = "http://www.w3.org/2000/svg";

type Attribute = string | number | boolean | null | undefined | ((event: Event) => void);

/** Attributes by name, listeners by the name of their event. */
export type Attributes = Record<string, Attribute>;

/** An element; an attribute that is a function listens, one that is null or false is left out, true is set empty. */
export function htmlNode<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children);
  return node;
}

/** A button with this text. */
export function buttonNode(text: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return htmlNode("button", { type: "button", click: press, ...attributes }, text);
}

/** A labelled <select>; `choices` are [value, text]. */
export function selectNode(
  label: string, choices: [string, string][], change: (value: string) => void, attributes: Attributes = {},
): HTMLSelectElement {
  const select = htmlNode("select", { "aria-label": label, change: () => change(select.value), ...attributes });
  select.append(...choices.map(([value, text]) => htmlNode("option", { value }, text)));
  return select;
}

type SvgAttributes = Record<string, string | number | null | undefined>;

/** An SVG element with these attributes; null leaves one out. */
export function svgNode<Name extends keyof SVGElementTagNameMap>(
  name: Name, attributes: SvgAttributes = {}, ...children: (Node | string)[]
): SVGElementTagNameMap[Name] {
  const node = document.createElementNS(SVG_SPACE, name);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/** Sets attributes; null removes one. */
export function setAttributes(node: Element, attributes: SvgAttributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
  }
}

/** What the page tells its scripts in the block with this id. */
export function pageData<Data>(id: string): Data {
  return JSON.parse(document.getElementById(id)?.textContent ?? "{}") as Data;
}

/** Says sentences, or links, in the place of those before. */
export type Tell = (...sentences: (string | Node)[]) => void;

/** A function that says sentences into the page's live region, politely. Those that have no room there are not seen, but heard,
 * and stand in the list of moves; the first one has as much room as it needs. */
export function announcer(region: HTMLElement): Tell {
  new ResizeObserver(() => fitSentences(region)).observe(region);
  return (...sentences) => {
    region.replaceChildren(...sentences.map((sentence) => htmlNode("p", {}, sentence)));
    fitSentences(region);
  };
}

/** Shows as many whole sentences as there is room for. */
function fitSentences(region: HTMLElement): void {
  const [first, ...further] = region.children;
  for (const sentence of further) sentence.classList.remove("unseen");
  region.classList.remove("long");
  while (region.scrollHeight > region.clientHeight + 1) {
    const last = further.pop();
    if (!last) return void region.classList.toggle("long", first !== undefined);
    last.classList.add("unseen");
  }
}

/** Puts the pictures of the cards into the page, which says where they are. */
export async function loadCards(): Promise<void> {
  const sprite = document.querySelector<SVGElement>(".sprite[data-source]");
  const answer = await fetch(sprite?.dataset["source"] ?? "").catch(() => null);
  if (!answer?.ok) throw new Error("The pictures of the cards cannot be loaded.");
  if (sprite) sprite.innerHTML = await answer.text();
}
