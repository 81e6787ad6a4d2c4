import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  CALM,
  type DomainSpeed,
  presentSpeed,
  SLOWEST,
  slowerSpeed,
} from '../../../../shared/mail/sending/domain-speed.ts';
import { asksForLess, type Dialogue, outcomeOf, RETRIES } from '../../../../shared/mail/sending/outcomes.ts';
import {
  ignoredAnswer,
  MOST_IN_A_ROW,
  type Row,
  rowAfter,
  showRefusedSender,
} from '../../../../shared/mail/sending/refusals.ts';
import { isUnavailable, pauseAfterFailures } from '../../../../shared/mail/sending/trouble.ts';

const now = new Date('2026-11-27T00:00:00Z');

type Answers = 'mail' | 'rcpt' | 'text';

function refused(code: number, text: string, answers: Answers): Dialogue & { kind: 'refused' } {
  return { kind: 'refused', code, text, answers, reply: `${code} ${text}` };
}

function outcome(dialogue: Dialogue, attempts = 0) {
  return outcomeOf(dialogue, { attempts, next_attempt_at: null, now });
}

describe('what becomes of a recipient', () => {
  const cases: [string, Dialogue, Partial<ReturnType<typeof outcome>>][] = [
    ['taken', { kind: 'taken', reply: '250 OK' }, { status: 'sent', attempts: 1, smtp_response: '250 OK' }],
    [
      'no connection',
      { kind: 'lost', words: 'ECONNREFUSED' },
      { status: 'queued', attempts: 0, smtp_response: null },
    ],
    [
      'silence',
      { kind: 'silent', words: 'Timeout' },
      { status: 'unknown', reason: 'no_answer', attempts: 1 },
    ],
    [
      'no address',
      { kind: 'unusable', words: 'x' },
      { status: 'skipped', reason: 'invalid_address', attempts: 0 },
    ],
    ['the sender', refused(550, '5.7.1 no', 'mail'), { status: 'queued', attempts: 0, bounce: null }],
    [
      '4xx to the sender',
      refused(451, '4.3.0 later', 'mail'),
      { status: 'queued', attempts: 1, bounce: null },
    ],
    ['4xx to the recipient', refused(450, '4.2.0 later', 'rcpt'), { status: 'queued', attempts: 1 }],
    ['4xx to the text', refused(421, 'too many', 'text'), { status: 'queued', attempts: 1 }],
  ];
  for (const [name, dialogue, expected] of cases) {
    test(name, () => {
      const found = outcome(dialogue);
      for (const [field, value] of Object.entries(expected)) {
        assert.deepEqual(found[field as keyof typeof found], value, field);
      }
    });
  }

  test('a refusal for good is a bounce by the table', () => {
    const classes = (['rcpt', 'text'] as const).flatMap((answers) =>
      ['5.1.1 nobody', 'nobody', '5.2.2 full'].map(
        (text) => outcome(refused(550, text, answers)).bounce?.class,
      ),
    );
    assert.deepEqual(classes, ['hard', 'hard', 'soft', 'hard', 'soft', 'soft']);
    const { status, reason, bounce } = outcome(refused(550, '5.1.1 nobody', 'rcpt'));
    assert.deepEqual(
      { status, reason, bounce },
      {
        status: 'failed',
        reason: 'refused',
        bounce: { class: 'hard', status: '5.1.1', diagnostic: '550 5.1.1 nobody' },
      },
    );
  });

  test('what is refused for now is tried again after 1, 5, 30, 120 and 360 minutes, six times in all', () => {
    const minutes = [];
    for (let attempts = 0; ; attempts += 1) {
      const { status, reason, next_attempt_at, bounce } = outcome(refused(451, 'later', 'rcpt'), attempts);
      if (status === 'failed') {
        assert.deepEqual([attempts + 1, reason, bounce], [6, 'attempts_used_up', null]);
        break;
      }
      minutes.push((Date.parse(next_attempt_at!) - now.getTime()) / 60_000);
    }
    assert.deepEqual(minutes, [1, 5, 30, 120, 360]);
    assert.equal(RETRIES.length, 5);
  });

  test('a row that waited keeps its place where no dialogue came about', () => {
    const next_attempt_at = '2026-11-26T00:00:00.000Z';
    const found = outcomeOf({ kind: 'lost', words: 'x' }, { attempts: 2, next_attempt_at, now });
    assert.deepEqual([found.status, found.attempts, found.next_attempt_at], ['queued', 2, next_attempt_at]);
  });
});

describe('refusals in a row', () => {
  const refusal = refused(550, '5.7.1 blocked', 'rcpt');

  test('twenty of one code and status are about the sender, unless somebody resumed after them', () => {
    let row: Row = null;
    for (let count = 1; count <= MOST_IN_A_ROW; count += 1) {
      assert.equal(showRefusedSender(row, []), false, `${count}`);
      row = rowAfter(row, refused(550, `5.7.1 blocked ${count}`, 'rcpt'));
    }
    assert.equal(showRefusedSender(row, []), true);
    assert.equal(showRefusedSender(row, [ignoredAnswer('550 5.7.1')]), false);
    assert.equal(showRefusedSender(row, [ignoredAnswer('550 5.7.2')]), true);
  });

  test('any other answer begins a new row', () => {
    const row = { answer: '550 5.7.1', count: 19 };
    assert.equal(rowAfter(row, null), null);
    assert.equal(rowAfter(row, refused(450, '4.7.1 later', 'rcpt')), null);
    assert.deepEqual(rowAfter(row, refused(550, 'blocked', 'rcpt')), { answer: '550', count: 1 });
    assert.deepEqual(rowAfter(row, refusal), { answer: '550 5.7.1', count: 20 });
  });
});

describe('the speed of a receiving domain', () => {
  test('421 and 4.7.x ask for fewer mails, other refusals do not', () => {
    const asked = [
      refused(421, 'x', 'mail'),
      refused(450, '4.7.28 x', 'rcpt'),
      refused(451, '4.7.0', 'text'),
    ];
    assert.deepEqual(asked.map(asksForLess), [true, true, true]);
    const others = [
      refused(450, '4.2.1', 'rcpt'),
      refused(550, '5.7.1', 'rcpt'),
      refused(451, 'later', 'text'),
    ];
    assert.deepEqual(others.map(asksForLess), [false, false, false]);
  });

  test('it is halved down to one in 10 s, and doubles after each 10 minutes without', () => {
    const by = (speed: DomainSpeed | null, last_minute = 600) => {
      return { placed_by: speed?.changed_at ?? null, last_minute };
    };
    const first = slowerSpeed(null, by(null), 0);
    assert.deepEqual(first, { interval: 200, changed_at: 0 });
    const second = slowerSpeed(first, by(first), 5_000);
    assert.deepEqual(second, { interval: 400, changed_at: 5_000 });
    for (const earlier of [null, first])
      assert.equal(
        slowerSpeed(second, by(earlier), 9_000),
        second,
        'what was placed before it is one request',
      );
    let slow = second;
    for (let at = 10_000; at < 100_000; at += 5_000) slow = slowerSpeed(slow, by(slow, 0), at);
    assert.equal(slow.interval, SLOWEST);
    const { changed_at } = slow;
    assert.equal(presentSpeed(slow, changed_at + CALM - 1)?.interval, SLOWEST);
    assert.equal(presentSpeed(slow, changed_at + CALM)?.interval, SLOWEST / 2);
    assert.equal(presentSpeed(slow, changed_at + 3 * CALM)?.interval, SLOWEST / 8);
    assert.equal(presentSpeed(slow, changed_at + 20 * CALM), null);
    assert.equal(slowerSpeed(slow, by(slow, 0), changed_at + CALM).interval, SLOWEST);
  });
});

describe('a server that cannot be reached', () => {
  test('it is tried again after 1 s, doubling to 60 s', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 100].map(pauseAfterFailures),
      [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000),
    );
  });

  test('a campaign pauses after 10 minutes, and at once where the sign-in is refused', () => {
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
    const cases: [boolean, string | null, boolean][] = [
      [false, null, false],
      [false, ago(9.9), false],
      [false, ago(10), true],
      [true, null, true],
    ];
    for (const [is_sign_in_refused, since, expected] of cases) {
      assert.equal(isUnavailable({ is_sign_in_refused, since }, now), expected);
    }
  });
});
