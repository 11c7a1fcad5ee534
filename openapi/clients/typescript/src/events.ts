/** Server-sent events out of the body of an answer. */

export interface ServerEvent {
  event: string;
  data: unknown;
}

/** Each event with its data read; comments, which keep the connection alive, are left out. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const found = eventOf(block);
        if (found !== null) yield found;
      }
    }
  } finally {
    await reader.cancel();
  }
}

function eventOf(block: string): ServerEvent | null {
  const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line) ?? ["", "", ""]);
  const data = fields.filter(([, name]) => name === "data").map(([, , value]) => value);
  if (!data.length) return null;
  const event = fields.find(([, name]) => name === "event")?.[2] ?? "message";
  return { event, data: JSON.parse(data.join("\n")) };
}
