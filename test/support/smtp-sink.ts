import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail that the server has taken whole. */
export type Taken = {
  /** The first of them, and all. */
  to: string;
  recipients: string[];
  message_id: string;
  subject: string;
  text: string;
  raw: string;
  /** Milliseconds of the machine's monotonic clock at which its recipient was named. */
  begun_at: number;
  /** What the client called itself. */
  client: string;
};

export type Verdict =
  | { kind: 'take' }
  | { kind: 'refuse'; code: number; words: string }
  /** Says nothing any more. */
  | { kind: 'silence' }
  /** Closes the connection without a reply. */
  | { kind: 'hang_up' };

export type SmtpSink = {
  url: string;
  taken: Taken[];
  /** Asked once at the recipient and once when the whole text is there; at first everything is taken. */
  verdict: (to: string, at: 'recipient' | 'text') => Verdict;
  /** Milliseconds that the server takes for its reply; none at first. */
  slowness: (to: string, at: 'recipient' | 'text') => number;
  /** Asked for each connection before it is greeted, and for each mail when its sender is named; at first all is taken. */
  greeting: () => Verdict;
  sender: (from: string) => Verdict;
  /** How many texts arrived whole, taken or not. */
  texts: number;
};

/**
 * A mail server that does what a test asks of it. It ends with the test file. Where `password` is given, it wants that of anybody at
 * each sign-in.
 */
export async function smtpSink({
  port = 0,
  password,
}: {
  port?: number;
  password?: () => string;
} = {}): Promise<SmtpSink> {
  const sink: SmtpSink = {
    url: '',
    taken: [],
    verdict: () => ({ kind: 'take' }),
    slowness: () => 0,
    greeting: () => ({ kind: 'take' }),
    sender: () => ({ kind: 'take' }),
    texts: 0,
  };
  const begun = new Map<string, number>();
  const answer = (verdict: Verdict, session_id: string, done: (error?: Error | null) => void) => {
    if (verdict.kind === 'silence') return;
    if (verdict.kind === 'hang_up') return void destroy(session_id);
    done(verdict.kind === 'refuse' ? refusal(verdict) : null);
    // RFC 5321 3.8: who says so closes the line.
    if (verdict.kind === 'refuse' && verdict.code === 421) destroy(session_id);
  };
  const server = new SMTPServer({
    disabledCommands: password ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    // A server that says nothing any more does not end by itself either.
    socketTimeout: 600_000,
    onConnect: (session, done) => answer(sink.greeting(), session.id, done),
    onAuth: ({ username, password: given }, _session, done) => {
      if (given === password?.()) done(null, { user: username });
      else done(refusal({ code: 535, words: '5.7.8 not this password' }));
    },
    onMailFrom: ({ address }, session, done) => answer(sink.sender(address), session.id, done),
    onRcptTo: async (address, session, done) => {
      begun.set(session.id, performance.now());
      await pause(sink.slowness(address.address, 'recipient'));
      answer(sink.verdict(address.address, 'recipient'), session.id, done);
    },
    onData: async (stream, session, done) => {
      const raw = await whole(stream);
      if (!raw) return;
      sink.texts += 1;
      const to = session.envelope.rcptTo[0]?.address ?? '';
      await pause(sink.slowness(to, 'text'));
      const verdict = sink.verdict(to, 'text');
      if (verdict.kind === 'silence') return;
      if (verdict.kind === 'hang_up') return void destroy(session.id);
      if (verdict.kind === 'refuse') return done(refusal(verdict));
      const email = await PostalMime.parse(raw);
      sink.taken.push({
        recipients: session.envelope.rcptTo.map(({ address }) => address),
        to,
        message_id: email.messageId ?? '',
        subject: email.subject ?? '',
        text: email.text ?? '',
        raw: raw.toString(),
        begun_at: begun.get(session.id) ?? 0,
        client: session.hostNameAppearsAs as string,
      });
      done(null, 'OK: taken');
    },
  });
  const destroy = (session_id: string) => {
    for (const connection of server.connections as Set<{ id: string; _socket: { destroy(): void } }>) {
      if (connection.id === session_id) connection._socket.destroy();
    }
  };
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  sink.url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  after(() => {
    for (const connection of server.connections as Set<{ _socket: { destroy(): void } }>)
      connection._socket.destroy();
    server.close();
  });
  return sink;
}

function refusal({ code, words }: { code: number; words: string }): Error {
  return Object.assign(new Error(words), { responseCode: code });
}

/** The text, or null when the connection broke before its end: then a server must forget it (RFC 5321 3.8). */
async function whole(stream: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return null;
  }
}
