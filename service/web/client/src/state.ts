/** The parts of a game's page that the server words: who sits there, how it stands. They are fetched anew with it. */

const PARTS = "[data-state]";
let newest = 0;

/** Fetches this page and takes over its parts; the last fetch wins. What has the focus, and was typed there, stays. */
export async function renewState(): Promise<void> {
  const turn = (newest += 1), answer = await fetch(location.pathname, { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok || turn !== newest) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (turn !== newest) return;
  const { id = "", value } = document.activeElement as HTMLInputElement;
  const open = new Set([...document.querySelectorAll(`${PARTS} details[open]`)].map(({ className }) => className));
  for (const fresh of page.querySelectorAll<HTMLElement>(PARTS)) {
    const shown = document.querySelector(`[data-state="${fresh.dataset["state"]}"]`);
    if (!shown || shown.isEqualNode(fresh)) continue;
    shown.replaceChildren(...fresh.childNodes);
    for (const details of shown.querySelectorAll("details")) details.open = open.has(details.className);
  }
  document.getElementById("kibitz")?.toggleAttribute("data-waits", page.querySelector("#kibitz[data-waits]") !== null);
  const field = id ? document.getElementById(id) : null;
  if (field instanceof HTMLInputElement && field !== document.activeElement) {
    field.value = value;
    field.focus({ preventScroll: true });
  }
  offerLink();
}

/** Whether a part changes with every step: the table in words, where it is read, and when a move is due. */
export function showsEachStep(): boolean {
  return document.querySelector(".spoken[open], [data-each-step]") !== null;
}

/** The buttons that copy the table's link and share it, where the browser can. */
export function offerLink(): void {
  const field = document.querySelector<HTMLInputElement>("#table-link"), row = field?.parentElement;
  const [copy, share] = ["copy", "share"].map((name) => row?.querySelector<HTMLButtonElement>(`[data-do=${name}]`));
  if (!field || !copy || !share) return;
  copy.hidden = false;
  copy.onclick = () => {
    field.select();
    const copied = isSecureContext ? navigator.clipboard.writeText(field.value).then(() => true, () => false) : Promise.resolve(document.execCommand("copy"));
    void copied.then((done) => { copy.textContent = done ? "Copied" : "Press Ctrl+C"; });
  };
  share.hidden = !("share" in navigator);
  share.onclick = () => void navigator.share({ title: document.title, url: field.value }).catch(() => undefined);
}

document.querySelector(".spoken")?.addEventListener("toggle", () => { if (showsEachStep()) void renewState(); });
offerLink();
