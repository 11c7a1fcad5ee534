/** Two replays of one deal: the longer one leads, the other one goes along and waits at its end. */

import { type ApiSource, type Setting, apiSource } from "./api.ts";
import type { Faces } from "./api_types.ts";
import { boardsOnPage } from "./board.ts";
import type { Bar } from "./chips.ts";
import type { Clock } from "./clock.ts";
import { drawCourts } from "./courts.ts";
import { htmlNode, loadCards, pageData } from "./markup.ts";
import { type Player, lookAs, show, startPane, startPlayer } from "./player.ts";
import { applySettings, keptSettings } from "./settings.ts";

/** Starts both replays in their panes, and puts the controls of the one that leads under them. */
async function startBeside(panes: HTMLElement[], together: HTMLElement): Promise<void> {
  const settings = keptSettings();
  applySettings(settings);
  const sources = await Promise.all(panes.map((pane) => sourceOf(pane.dataset["game"] ?? "")));
  await loadCards();
  if (settings["courts"] === "pictures") void drawCourts(true);
  const [one, other] = panes.map((pane, at) => ({ pane, source: sources[at] }));
  if (!one?.source || !other?.source) return;
  const long = ({ source }: typeof one) => source?.clock.times.length ?? 0;
  const [leads, goesAlong] = long(one) >= long(other) ? [one, other] : [other, one];
  const [lead, along] = [leads.source as ApiSource, goesAlong.source as ApiSource];
  const follower = await startPane(goesAlong.pane, along);
  const leader = await startPlayer(leads.pane, lead, (player) => { keepInStep(player, follower); });
  together.append(leader.controls.node);
}

function sourceOf(id: string): Promise<ApiSource> {
  const setting: Setting = {
    clock: pageData<Clock>(`clock-${id}`), faces: pageData<Faces>("kibitz-faces"), branches: [],
    boards: boardsOnPage(), ...pageData<Bar>("kibitz-chips"),
  };
  return apiSource(id, setting, {});
}

function keepInStep(leader: Player, follower: Player): void {
  leader.listeners.push((what) => {
    const known = follower.viewers.some(({ key }) => key === leader.viewer);
    if (what === "viewer" && known) void lookAs(follower, leader.viewer, leader.step);
    if (what === "frame") void show(follower, leader.step);
  });
}

const sides = [...document.querySelectorAll<HTMLElement>(".pane")], controls = document.querySelector<HTMLElement>(".together");
if (controls) {
  startBeside(sides, controls).catch((failure: Error) => {
    controls.replaceChildren(htmlNode("p", { role: "alert" }, failure.message));
  });
}
