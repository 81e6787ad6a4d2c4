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
  /** How many texts arrived whole, taken or not. */
  texts: number;
};

/** A mail server that does what a test asks of it. It ends with the test file. */
export async function smtpSink(): Promise<SmtpSink> {
  const sink: SmtpSink = {
    url: '',
    taken: [],
    verdict: () => ({ kind: 'take' }),
    slowness: () => 0,
    texts: 0,
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo: async (address, session, done) => {
      await pause(sink.slowness(address.address, 'recipient'));
      const verdict = sink.verdict(address.address, 'recipient');
      if (verdict.kind === 'silence') return;
      if (verdict.kind === 'hang_up') return void destroy(session.id);
      done(verdict.kind === 'refuse' ? refusal(verdict) : null);
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
  const listening = server.listen(0, '127.0.0.1');
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
