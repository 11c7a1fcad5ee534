/** The WebSocket of who plays: commands and frames of the game over one connection, `WS /v1/play`, where it can be had. */

import { type ApiSource, Refusal, type StreamHeard, eyesOf } from "./api.ts";
import type { Command, CommandAnswer, Frame } from "./api_types.ts";

const PROTOCOL = "kibitz.play.v1", PATIENCE = 10000;

/** What the service tells; `id` is that of the message which it belongs to. */
type Told =
  | { type: "accepted"; id: string; answer: CommandAnswer }
  | { type: "refused"; id: string; problem: { status: number; detail?: string; rule?: string } }
  | { type: "event"; id: string; event: "frame"; data: Frame }
  | { type: "event"; id: string; event: "end"; data: { reason: string } }
  | { type: "ended"; id: string };

/** A connection that was opened. `worked`: something has been heard on it. `tell` sends a message and returns its id; what
 * belongs to it is `heard`, null once the connection is lost. */
export interface Socket {
  isOpen: () => boolean;
  worked: () => boolean;
  tell: (message: object, heard?: (told: Told | null) => void) => string;
  forget: (id: string) => void;
  close: () => void;
}

/** The connection of a source whose asker plays, opened where it is not open; null: HTTP and server-sent events have to do. */
export async function socketOf(source: ApiSource): Promise<Socket | null> {
  if (source.game.your_seats.length === 0 || source.socket === null) return null;
  const begun = source.socket;
  if (!begun?.isOpen()) source.socket = begun?.worked() === false ? null : await openSocket();
  return source.socket ?? null;
}

/** Opens a connection; null where a browser, a proxy or the service has none to give. */
function openSocket(): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(new URL("/v1/play", location.href.replace(/^http/, "ws")), PROTOCOL);
    const hearing = new Map<string, (told: Told | null) => void>(), late = setTimeout(() => socket.close(), PATIENCE);
    let told = 0, worked = false;
    socket.addEventListener("open", () => {
      clearTimeout(late);
      resolve({
        isOpen: () => socket.readyState === WebSocket.OPEN, worked: () => worked,
        forget: (id) => hearing.delete(id), close: () => socket.close(),
        tell: (message, heard) => {
          const id = String(told += 1);
          if (heard) hearing.set(id, heard);
          socket.send(JSON.stringify({ id, ...message }));
          return id;
        },
      });
    });
    socket.addEventListener("message", ({ data }) => {
      const news = JSON.parse(data as string) as Told;
      worked = true;
      hearing.get(news.id)?.(news);
    });
    socket.addEventListener("close", () => {
      clearTimeout(late);
      resolve(null);
      for (const heard of hearing.values()) heard(null);
      hearing.clear();
    });
  });
}

/** Says a command; throws a Refusal, or as `ask` does a TypeError where nobody answers: then the connection is given up. */
export function sayOver(
  socket: Socket, game_id: string, seat: number, version: number, key: string, command: Command,
): Promise<CommandAnswer> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.close(), PATIENCE);
    const id = socket.tell({ type: "command", game_id, seat, version, key, command }, (told) => {
      clearTimeout(late);
      socket.forget(id);
      if (told?.type === "accepted") resolve(told.answer);
      else reject(told?.type === "refused" ? new Refusal(told.problem.status, told.problem) : new TypeError("No answer."));
    });
  });
}

/** Follows a game live; that it stands is heard with the first frame. Returns how to stop. */
export function followOver(socket: Socket, game_id: string, viewer: string, after: number, heard: StreamHeard): () => void {
  const id = socket.tell({ type: "subscribe_game", game_id, ...eyesOf(viewer), after }, (told) => {
    if (told?.type === "event" && told.event === "frame") return heard.frame(told.data);
    socket.forget(id);
    if (told?.type === "event") heard.end(told.data.reason);
    else heard.broken(true);
  });
  return () => {
    socket.forget(id);
    if (socket.isOpen()) socket.tell({ type: "unsubscribe", id });
  };
}
