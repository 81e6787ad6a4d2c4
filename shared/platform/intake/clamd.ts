import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { clamdAddress } from './clamd-address.ts';
import type { Scan, Scanner, Verdict } from './scanner.ts';

/**
 * Milliseconds without a byte in either direction after which clamd counts as silent. It has as many to take one chunk,
 * and to complete its reply once that has begun or the file has ended.
 */
const PATIENCE = 20_000;

type Limits = {
  /** Bytes of a file that are sent; a longer one is not scanned. */
  most_bytes: number;
  patience?: number;
};

/** clamd at `tcp://host:port` or `unix:/path`, by its commands INSTREAM and PING (clamd(8)). */
export function clamd(url: string, { most_bytes, patience = PATIENCE }: Limits): Scanner {
  return {
    begin: () => beginScan(converse(url, patience), { most_bytes, patience }),
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
type Conversation = {
  socket: Socket;
  reply: Promise<string>;
  /** Whether any byte of the reply has arrived. */
  hasReply: () => boolean;
  /** From now on the rest of the reply has `patience` to arrive. Later calls change nothing. */
  expectReply: () => void;
};

function converse(url: string, patience: number): Conversation {
  const address = clamdAddress(url);
  if (!address) throw new Error('CLAMD_URL is no address of clamd');
  const socket = connect(address);
  const seconds = patience / 1000;
  socket.setTimeout(patience, () => socket.destroy(new Error(`clamd was silent for ${seconds} s`)));
  let deadline: NodeJS.Timeout | undefined;
  const expectReply = () => {
    if (socket.destroyed) return;
    deadline ??= setTimeout(() => {
      socket.destroy(new Error(`clamd did not complete its reply within ${seconds} s`));
    }, patience);
  };
  socket.once('close', () => clearTimeout(deadline));
  // Single bytes would reset the time of silence for ever, so the first byte starts the deadline.
  socket.once('data', expectReply);
  return { socket, reply: replyOn(socket), hasReply: () => socket.bytesRead > 0, expectReply };
}

/** Bytes that a reply may have: a name of malware is far shorter. */
const LONGEST_REPLY = 4 * 1024;

/** What clamd answers, up to the NUL that ends it. clamd closes the connection after it. */
function replyOn(socket: Socket): Promise<string> {
  const reply = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\0');
      if ((end < 0 ? text.length : end) > LONGEST_REPLY) {
        socket.destroy(new Error(`clamd replied with more than ${LONGEST_REPLY} bytes`));
        return;
      }
      if (end < 0) return;
      resolve(Buffer.from(text.slice(0, end), 'latin1').toString());
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

function beginScan(
  { socket, reply, hasReply, expectReply }: Conversation,
  { most_bytes, patience }: Required<Limits>,
): Scan {
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
      if (socket.write(framed(chunk))) return;
      const late = setTimeout(() => socket.destroy(new Error('clamd stopped reading')), patience);
      await once(socket, 'drain', { signal: closed.signal }).catch(() => undefined);
      clearTimeout(late);
    },
    isDecided: () => is_too_long || hasReply(),
    async end() {
      if (is_too_long) return UNSCANNED;
      const isWhole = socket.writable && !hasReply();
      if (isWhole) socket.write(END);
      expectReply();
      const verdict = await reply.then(verdictOf, () => PENDING);
      // clamd has not seen all of a file that it answers before the end.
      return verdict.scan === 'clean' && !isWhole ? PENDING : verdict;
    },
    abandon: () => socket.destroy(),
  };
}

const END = Buffer.alloc(4);

/** A copy of a chunk behind its length: the socket may still have it when the chunk is gone. */
function framed(chunk: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(4 + chunk.length);
  frame.writeUInt32BE(chunk.length);
  frame.set(chunk, 4);
  return frame;
}

/** The verdict in a reply such as `stream: OK` and `stream: Eicar-Test-Signature FOUND`. */
function verdictOf(reply: string): Verdict {
  if (reply === 'stream: OK') return { scan: 'clean', finding: null };
  const finding = /^stream: (.+) FOUND$/.exec(reply)?.[1];
  if (/size limit exceeded/i.test(reply) || finding?.startsWith('Heuristics.Limits.Exceeded'))
    return UNSCANNED;
  return finding === undefined ? PENDING : { scan: 'quarantined', finding: finding.slice(0, 200) };
}
