/**
 * A mail server in a process of its own that takes what it is sent, and tells how often each recipient got a mail. By `WITH_FAULTS=1`
 * it refuses and hangs up for some of the addresses `personN@`.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** How many mails each address got (where asked), how many there were in all, and when the first and the last came: milliseconds. */
export type SinkReport = { taken: Record<string, number>; count: number; first_at: number; last_at: number };

const withFaults = process.env['WITH_FAULTS'] === '1';
const taken = new Map<string, number>();
const tried = new Map<string, number>();
let count = 0;
let first_at = 0;
let last_at = 0;

/** What becomes of a mail: of 50 addresses one is refused for good, one at first, and two lose the line at their first try. */
function fateOf(address: string): 'take' | 'refuse' | 'later' | 'cut_before' | 'cut_after' {
  if (!withFaults) return 'take';
  const number = Number(/^person(\d+)@/.exec(address)?.[1] ?? 0) % 50;
  const isFirst = (tried.get(address) ?? 0) === 0;
  if (number === 7) return 'refuse';
  if (number === 8 && isFirst) return 'later';
  if (number === 9 && isFirst) return 'cut_before';
  if (number === 10 && isFirst) return 'cut_after';
  return 'take';
}

function refusal(code: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode: code });
}

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  onRcptTo: ({ address }, session, done) => {
    const fate = fateOf(address);
    if (fate === 'take' || fate === 'cut_after') return done();
    tried.set(address, 1);
    if (fate === 'refuse') return done(refusal(550, '5.1.1 nobody here'));
    if (fate === 'later') return done(refusal(451, '4.3.0 later'));
    cut(session.id);
  },
  onData: (stream, session, done) => {
    const address = session.envelope.rcptTo[0]!.address;
    stream.on('data', () => undefined);
    stream.on('end', () => {
      taken.set(address, (taken.get(address) ?? 0) + 1);
      count += 1;
      last_at = performance.now();
      if (count === 1) first_at = last_at;
      const fate = fateOf(address);
      tried.set(address, 1);
      if (fate === 'cut_after') cut(session.id);
      else done(null, 'OK');
    });
  },
});
server.on('error', () => undefined);

function cut(session_id: string): void {
  for (const connection of server.connections as Set<{ id: string; _socket: { destroy(): void } }>) {
    if (connection.id === session_id) connection._socket.destroy();
  }
}

process.on('message', (message) => {
  if (message === 'forget') {
    taken.clear();
    tried.clear();
    count = 0;
  }
  const told = message === 'report' ? Object.fromEntries(taken) : {};
  process.send!({ taken: told, count, first_at, last_at } satisfies SinkReport);
});
const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');
process.send!({ url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}` });
