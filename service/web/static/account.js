/** The account's pages: what is shown once can be copied. */

for (const button of document.querySelectorAll("[data-copies]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copies).innerText;
    const copied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    document.querySelector("[role=status]").textContent = copied ? "Copied." : "Copying is not allowed: select the text.";
  });
}
