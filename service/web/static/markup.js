/** HTML elements by name, attributes and children. */

/** An element; an attribute that is a function listens, one that is null or false is left out, true is set empty. */
export function htmlNode(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** A button with this text. */
export function buttonNode(text, press, attributes = {}) {
  return htmlNode("button", { type: "button", click: press, ...attributes }, text);
}

/** A labelled <select>; `choices` are [value, text]. */
export function selectNode(label, choices, change, attributes = {}) {
  const select = htmlNode("select", { "aria-label": label, change: () => change(select.value), ...attributes });
  select.append(...choices.map(([value, text]) => htmlNode("option", { value }, text)));
  return select;
}

/** A function that says sentences into the page's live region, politely. */
export function announcer(region) {
  return (...sentences) => region.replaceChildren(...sentences.map((sentence) => htmlNode("p", {}, sentence)));
}
