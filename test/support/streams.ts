/** A server-sent event as it arrived, its data parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any data and assert on what they find.
export type Heard = { id: string; event: string; data: any };

export type Followed = {
  status: number;
  headers: Headers;
  events: Heard[];
  /** All that came so far, as it was sent. */
  text(): string;
  /** Resolves when the stream has ended or was broken off. */
  ended: Promise<void>;
  stop(): void;
};

/** Follows a stream of server-sent events. */
export async function follow(url: string, headers: Record<string, string>): Promise<Followed> {
  const stopping = new AbortController();
  const response = await fetch(url, { headers, signal: stopping.signal });
  const events: Heard[] = [];
  let text = '';
  let read = 0;
  async function listen(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
          const heard = eventOf(text.slice(read, end));
          if (heard) events.push(heard);
          read = end + 2;
        }
      }
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    ended: listen(),
    stop: () => stopping.abort(),
  };
}

function eventOf(block: string): Heard | null {
  const lines = block.split('\n').map((line) => line.split(/: ?(.*)/s) as [string, string]);
  const fields = Object.fromEntries(lines);
  if (fields['data'] === undefined) return null;
  return { id: fields['id'] ?? '', event: fields['event'] ?? 'message', data: JSON.parse(fields['data']) };
}
