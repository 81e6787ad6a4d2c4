import pg from 'pg';

export type Listening = { end(): Promise<void> };

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 2_000;

/**
 * Calls `heard` at each NOTIFY on the channel, and after every reconnection, since what was said meanwhile is lost.
 * `url` must lead to the server itself, not to a pooler. Lost connections are reported to `troubled` and opened again.
 */
export function listen({ url, channel, first, heard, troubled }: ListenOptions): Listening {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = SHORTEST_PAUSE;
  let ended = false;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      application_name: `business-operations-listen-${channel}`,
    });
    client = fresh;
    fresh.on('error', (error) => lost(fresh, error));
    fresh.on('end', () => lost(fresh, new Error('The connection that listens has ended')));
    fresh.on('notification', ({ payload }) => heard(payload ?? ''));
    try {
      await fresh.connect();
      if (first) await fresh.query(first());
      await fresh.query(`LISTEN ${fresh.escapeIdentifier(channel)}`);
      pause = SHORTEST_PAUSE;
      heard('');
    } catch (error) {
      lost(fresh, error as Error);
    }
  }

  function lost(which: pg.Client, error: Error): void {
    if (ended || which !== client) return;
    client = undefined;
    which.end().catch(() => undefined);
    troubled(error);
    timer = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }

  connect();
  return {
    end: async () => {
      ended = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

export type ListenOptions = {
  url: string;
  channel: string;
  /** Makes the statement for each new connection, for what is to last as long as the connection. */
  first?: () => string;
  heard: (payload: string) => void;
  troubled: (error: Error) => void;
};
