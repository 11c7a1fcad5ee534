/** A part of a page becomes as it is told anew: only the nodes that differ change. */

/** Makes the shown part as the told one. What is open stays open, what has the focus is left as it is. */
export function renewPart(shown: Element, told: Element): void {
  const open = new Set([...shown.querySelectorAll("details[open]")].map(summaryOf));
  for (const one of told.querySelectorAll("details")) one.toggleAttribute("open", open.has(summaryOf(one)));
  renew(shown, told);
}

function summaryOf(details: Element): string {
  const summary = details.querySelector("summary");
  return summary?.ariaLabel ?? summary?.textContent ?? "";
}

function renew(shown: Element, told: Element): void {
  if (shown instanceof HTMLImageElement && shown.getAttribute("src")?.startsWith(`${told.getAttribute("src")}?`)) return;
  if (shown.isEqualNode(told)) return;
  if (!alike(shown, told)) {
    if (!shown.contains(document.activeElement)) shown.replaceWith(told);
    return;
  }
  for (const name of told.getAttributeNames()) shown.setAttribute(name, told.getAttribute(name) ?? "");
  for (const name of shown.getAttributeNames()) if (!told.hasAttribute(name)) shown.removeAttribute(name);
  const pairs = [...shown.children].map((child, at) => [child, told.children[at]] as const);
  for (const [child, other] of pairs) if (other) renew(child, other);
}

/** Whether they differ in what their children are alone: the same element, as many children, the same text between. */
function alike(one: Element, other: Element): boolean {
  return one.tagName === other.tagName && one.children.length > 0 && one.children.length === other.children.length
    && ownText(one) === ownText(other);
}

function ownText(node: Element): string {
  const texts = [...node.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  return texts.map(({ textContent }) => textContent?.trim()).join("|");
}
