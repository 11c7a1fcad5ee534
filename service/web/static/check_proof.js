/** On a game's page: a button that checks the proof of the deal in the reader's own browser. */

import { buttonNode, htmlNode } from "./markup.js";
import { startProof } from "./proof_panel.js";

/** Offers the check in this section, whose `data-game` is the game's id. */
export function offerProof(section) {
  const check = buttonNode("Check it here", async () => {
    check.disabled = true;
    await startProof(section, section.dataset.game);
    check.disabled = false;
  });
  section.append(htmlNode("p", {}, check));
}

const proofSection = document.getElementById("proof");
if (proofSection?.dataset.game) offerProof(proofSection);
