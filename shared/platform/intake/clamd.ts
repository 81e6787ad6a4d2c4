import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { clamdAddress } from './clamd-address.ts';
import type { Scan, Scanner, Verdict } from './scanner.ts';

/** Milliseconds without a byte in either direction after which clamd counts as silent. */
const PATIENCE = 20_000;

type Limits = {
  /** Bytes of a file that are sent; a longer one is not scanned. */
  most_bytes: number;
  patience?: number;
};

/** clamd at `tcp://host:port` or `unix:/path`, by its commands INSTREAM and PING (clamd(8)). */
export function clamd(url: string, { most_bytes, patience = PATIENCE }: Limits): Scanner {
  return {
    begin: () => beginScan(converse(url, patience), most_bytes),
    async check() {
      const { socket, reply } = converse(url, patience);
      socket.write('zPING\0');
      const answer = await reply;
      if (answer !== 'PONG')
        throw new Error(`clamd answered ${JSON.stringify(answer.slice(0, 100))} to PING`);
    },
  };
}

/** A connection, and the one reply to its one command. */
type Conversation = { socket: Socket; reply: Promise<string> };

function converse(url: string, patience: number): Conversation {
  const address = clamdAddress(url);
  if (!address) throw new Error('CLAMD_URL is no address of clamd');
  const socket = connect(address);
  socket.setTimeout(patience, () => socket.destroy(new Error(`clamd was silent for ${patience / 1000} s`)));
  return { socket, reply: replyOn(socket) };
}

/** What clamd answers, up to the NUL that ends it. clamd closes the connection after it. */
function replyOn(socket: Socket): Promise<string> {
  const reply = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (!text.includes('\0')) return;
      resolve(text.slice(0, text.indexOf('\0')));
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('clamd closed the connection without an answer')));
  });
  reply.catch(() => undefined);
  return reply;
}

const UNSCANNED: Verdict = { scan: 'unscanned', finding: null };
const PENDING: Verdict = { scan: 'pending', finding: null };

function beginScan({ socket, reply }: Conversation, most_bytes: number): Scan {
  let sent = 0;
  let is_too_long = false;
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  socket.write('zINSTREAM\0');
  return {
    async send(chunk) {
      sent += chunk.length;
      if (sent > most_bytes) {
        is_too_long = true;
        socket.destroy();
      }
      // A chunk of length 0 would end the stream; a connection that has ended has its reply.
      if (chunk.length === 0 || !socket.writable) return;
      socket.write(lengthOf(chunk));
      if (socket.write(chunk)) return;
      await once(socket, 'drain', { signal: closed.signal }).catch(() => undefined);
    },
    async end() {
      if (is_too_long) return UNSCANNED;
      if (socket.writable) socket.write(END);
      return reply.then(verdictOf, () => PENDING);
    },
    abandon: () => socket.destroy(),
  };
}

const END = Buffer.alloc(4);

function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

/** The verdict in a reply such as `stream: OK` and `stream: Eicar-Test-Signature FOUND`. */
function verdictOf(reply: string): Verdict {
  if (reply === 'stream: OK') return { scan: 'clean', finding: null };
  const finding = /^stream: (.+) FOUND$/.exec(reply)?.[1];
  if (/size limit exceeded/i.test(reply) || finding?.startsWith('Heuristics.Limits.Exceeded'))
    return UNSCANNED;
  return finding === undefined ? PENDING : { scan: 'quarantined', finding: finding.slice(0, 200) };
}
