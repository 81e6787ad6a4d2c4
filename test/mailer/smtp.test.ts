import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, beforeEach, describe, test } from 'node:test';
import { smtpTransport } from '../../shared/platform/mailer/smtp.ts';
import {
  MailFailure,
  MailLost,
  MailOvertaken,
  type Outgoing,
} from '../../shared/platform/mailer/transport.ts';
import { type SmtpSink, smtpSink, type Verdict } from '../support/smtp-sink.ts';

const sink = await smtpSink();
const patience = { connection: 10_000, greeting: 10_000, silence: 5_000 };
const impatient = { connection: 10_000, greeting: 1_000, silence: 1_000 };
const mail: Outgoing = {
  id: 'mail_01kaj2n5w5fq8b4m0g3v7x9rtc',
  from: 'no-reply@example.com',
  to: ['hanako@example.com'],
  raw: Buffer.from('Subject: test\r\n\r\n.a line that begins with a dot\r\n.\r\nthe end'),
};
let commits = 0;
const never = new AbortController().signal;

beforeEach(() => {
  commits = 0;
  sink.texts = 0;
  sink.taken.length = 0;
  sink.verdict = () => ({ kind: 'take' });
});

function deliver(
  url = sink.url,
  agree = true,
  signal = never,
  to = mail.to,
  bounds = patience,
): Promise<string> {
  const commit = async () => {
    commits += 1;
    return agree;
  };
  return smtpTransport(url, bounds).deliver({ ...mail, to }, commit, signal);
}

/** Waits no longer than a second for a server that says nothing before the text. */
const deliverInHaste = (url: string) => deliver(url, true, never, mail.to, impatient);

/** A server that answers each line with what the script says; null is silence. */
async function scripted(answer: (line: string) => string | null, greeting: string | null): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (greeting !== null) socket.write(`${greeting}\r\n`);
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const reply = answer(line);
        if (reply !== null) socket.write(`${reply}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The verdict at one stage; all is well at the other. */
const at =
  (stage: 'recipient' | 'text', verdict: Verdict): SmtpSink['verdict'] =>
  (_, asked) =>
    asked === stage ? verdict : { kind: 'take' };

const refusedFor =
  (permanent: boolean, reply: RegExp | null) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof MailFailure, String(error));
    assert.equal(error.permanent, permanent);
    if (reply) assert.match(error.reply ?? '', reply);
    else assert.equal(error.reply, null);
    return true;
  };

describe('sent', () => {
  test('what the server takes is answered with its words, committed first, and arrives byte for byte', async () => {
    assert.match(await deliver(), /OK: taken/);
    assert.equal(commits, 1);
    assert.equal(sink.taken.length, 1);
    assert.equal(sink.taken[0]?.raw.trimEnd(), mail.raw.toString());
  });
});

describe('several recipients', () => {
  const deliverTo = (...to: string[]) => deliver(sink.url, true, never, to);
  const refusing =
    (codes: Record<string, number>): SmtpSink['verdict'] =>
    (to) =>
      codes[to] === undefined ? { kind: 'take' } : { kind: 'refuse', code: codes[to], words: 'refused' };

  test('get one mail together', async () => {
    await deliverTo('a@example.com', 'b@example.com');
    assert.deepEqual(
      sink.taken.map(({ recipients }) => recipients),
      [['a@example.com', 'b@example.com']],
    );
  });

  test('get nothing when one of them is refused, for good or for now; the reply names who', async () => {
    for (const [code, permanent] of [
      [550, true],
      [451, false],
    ] as const) {
      sink.verdict = refusing({ 'b@example.com': code });
      const named = new RegExp(`^b@example\\.com: ${code} refused$`);
      await assert.rejects(deliverTo('a@example.com', 'b@example.com'), refusedFor(permanent, named));
    }
    assert.deepEqual([commits, sink.texts], [0, 0]);
  });

  test('are refused for good when one of them is, whatever is said of the others', async () => {
    sink.verdict = refusing({ 'a@example.com': 451, 'b@example.com': 550 });
    const both = /^a@example\.com: 451 refused; b@example\.com: 550 refused$/;
    await assert.rejects(deliverTo('a@example.com', 'b@example.com'), refusedFor(true, both));
    await assert.rejects(
      deliverTo('a@example.com', 'b@example.com', 'c@example.com'),
      refusedFor(true, both),
    );
  });
});

describe('refused for good', () => {
  test('a 550 to the recipient ends the mail with the words of the server, before the text is handed over', async () => {
    sink.verdict = () => ({ kind: 'refuse', code: 550, words: 'no such user' });
    await assert.rejects(deliver(), refusedFor(true, /550 no such user/));
    assert.equal(commits, 0);
  });

  test('a 554 to the text ends the mail', async () => {
    sink.verdict = at('text', { kind: 'refuse', code: 554, words: 'looks like spam' });
    await assert.rejects(deliver(), refusedFor(true, /554 looks like spam/));
  });
});

describe('refused for now', () => {
  test('a 451 to the recipient or to the text may be tried again', async () => {
    for (const stage of ['recipient', 'text'] as const) {
      sink.verdict = at(stage, { kind: 'refuse', code: 451, words: 'greylisted' });
      await assert.rejects(deliver(), refusedFor(false, /451 greylisted/));
    }
  });

  test('a server that cannot be reached may be tried again', async () => {
    await assert.rejects(deliver('smtp://127.0.0.1:1'), refusedFor(false, null));
    assert.equal(commits, 0);
  });

  test('a server that wants a login, or refuses at its greeting, says nothing about the mail', async () => {
    const login = await scripted(
      (line) => (line.startsWith('MAIL') ? '530 login first' : '250 ok'),
      '220 hello',
    );
    await assert.rejects(deliver(login), refusedFor(false, /530 login first/));
    const closed = await scripted(() => '421 bye', '554 no service here');
    await assert.rejects(deliver(closed), refusedFor(false, /554 no service here/));
  });

  test('a wrong password is told as a reply to this service and may be tried again', async () => {
    const ehlo = '250-test\r\n250 AUTH PLAIN';
    const url = await scripted(
      (line) => (line.startsWith('EHLO') ? ehlo : line.startsWith('AUTH') ? '535 wrong' : '250 ok'),
      '220 hello',
    );
    await assert.rejects(deliver(url.replace('//', '//user:p%40ss@')), refusedFor(false, /535 wrong/));
  });

  test('silence at the greeting or before the text leaves nothing, and may be tried again', async () => {
    const mute = await scripted(() => null, null);
    const stuck = await scripted((line) => (line === 'DATA' ? null : '250 ok'), '220 hello');
    for (const url of [mute, stuck]) await assert.rejects(deliverInHaste(url), refusedFor(false, null));
    assert.equal(commits, 0);
  });
});

describe('not known', () => {
  test('silence after the text, or a connection closed then, leaves open what became of the mail', async () => {
    for (const kind of ['silence', 'hang_up'] as const) {
      sink.verdict = at('text', { kind });
      await assert.rejects(deliver(), MailLost);
    }
    assert.equal(commits, 2);
    assert.equal(sink.texts, 2);
  });
});

describe('not sent', () => {
  test('when the commit is refused the server never sees the end of the text', async () => {
    await assert.rejects(deliver(sink.url, false), MailOvertaken);
    await deliver();
    assert.equal(sink.texts, 1);
  });

  test('a stop before the end of the text leaves nothing', async () => {
    const stop = new AbortController();
    const stuck = await scripted((line) => (line === 'DATA' ? null : '250 ok'), '220 hello');
    const delivery = deliver(stuck, true, stop.signal);
    stop.abort(new Error('The process ends'));
    await assert.rejects(delivery, /The process ends/);
    assert.equal(commits, 0);
  });
});
