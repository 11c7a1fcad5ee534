/** On a game's page: a button that checks the proof of the deal in the reader's own browser. */

import { buttonNode, htmlNode } from "./markup.ts";

/** Offers the check in this section. */
function offerProof(section: HTMLElement, game: string): void {
  const check = buttonNode("Check it here", () => {
    check.disabled = true;
    void import("./proof_panel.ts").then(({ startProof }) => startProof(section, game))
      .catch(() => section.append(htmlNode("p", { role: "alert" }, "The check cannot be had just now.")))
      .finally(() => { check.disabled = false; });
  });
  section.append(htmlNode("p", {}, check));
}

const proofSection = document.getElementById("proof");
if (proofSection?.dataset["game"]) offerProof(proofSection, proofSection.dataset["game"]);
