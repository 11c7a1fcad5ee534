/** The page of one game: its replay, live while it goes on, and played by who has a seat. */

import { apiSource, isOver } from "./api.js";
import { companyFor } from "./company.js";
import { startFollowing } from "./live.js";
import { htmlNode } from "./markup.js";
import { startPlaying } from "./play.js";
import { lookAs, startPlayer } from "./player.js";

/** Starts the page in its root element; `data-game` is the game's id, `data-signed-in` says that somebody has a session. */
export async function startGamePage(root) {
  const source = await apiSource(root.dataset.game, pageData("kibitz-faces"), pageData("kibitz-taps"));
  const player = await startPlayer(root, source);
  const company = companyFor(player, source, "signedIn" in root.dataset, () => joined());
  const play = startPlaying(player, source);
  const changed = () => {
    company.update();
    play();
  };
  const joined = async () => {
    await source.refresh();
    player.viewers = source.viewers;
    await lookAs(player, source.viewer);
    changed();
  };
  player.panel.after(company.node);
  company.update();
  if (!isOver(source.game)) startFollowing(player, source, changed);
  return player;
}

/** What the page says of the game type: what its cards stand for, where its commands are tapped. */
function pageData(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : {};
}

const gameRoot = document.getElementById("kibitz");
if (gameRoot?.dataset.game) {
  startGamePage(gameRoot).catch((failure) => gameRoot.replaceChildren(htmlNode("p", { role: "alert" }, failure.message)));
}
