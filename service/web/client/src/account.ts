/** The account's pages: what is shown once can be copied. */

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copies]")) {
  button.hidden = !isSecureContext;
  button.addEventListener("click", () => void copy(button));
}

async function copy(button: HTMLElement): Promise<void> {
  const text = document.getElementById(button.dataset["copies"] ?? "")?.innerText ?? "";
  const copied = await navigator.clipboard.writeText(text).then(() => true, () => false);
  const status = document.querySelector("[role=status]");
  if (status) status.textContent = copied ? "Copied." : "Copying is not allowed: select the text.";
}
