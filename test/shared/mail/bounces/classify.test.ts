import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type BounceClass,
  classOfEvent,
  classOfRefusal,
  classOfReport,
  failureStatus,
  type Refusal,
} from '../../../../shared/mail/bounces/classify.ts';

const HARD = ['5.0.0', '5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1', '5.4.4'];
const SOFT = [
  '5.1.4',
  '5.1.5',
  '5.1.8',
  '5.1.100',
  '5.2.0',
  '5.2.2',
  '5.3.4',
  '5.4.1',
  '5.7.1',
  '4.2.2',
  '4.4.7',
  '4.1.1',
];

const statuses = fc
  .tuple(fc.constantFrom(4, 5), fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 999 }))
  .map((numbers) => numbers.join('.'));

describe('the class of a delivery report', () => {
  for (const status of HARD) {
    it(`is hard for a failure of ${status}`, () => {
      assert.equal(classOfReport({ action: 'failed', status }), 'hard');
    });
  }

  for (const status of SOFT) {
    it(`is soft for a failure of ${status}`, () => {
      assert.equal(classOfReport({ action: 'failed', status }), 'soft');
    });
  }

  for (const [diagnostic, expected] of [
    ['552 Mailbox full', 'soft'],
    ['554 Transaction failed', 'soft'],
    ['smtp; 552 Mailbox full', 'soft'],
    ['552-Mailbox full 552 try later', 'soft'],
    ['550 No such user', 'hard'],
    ['551 User not local', 'hard'],
    ['553 Name not allowed', 'hard'],
    ['554 5.0.0 Service unavailable', 'hard'],
    ['500 unknown recipient', 'hard'],
    ['unknown user: "taro"', 'hard'],
    [null, 'hard'],
  ] as const) {
    it(`is ${expected} for 5.0.0, which relays tell of a reply without a code, and ${diagnostic}`, () => {
      assert.equal(classOfReport({ action: 'failed', status: '5.0.0', diagnostic }), expected);
      assert.equal(classOfEvent('5.0.0', diagnostic), expected);
    });
  }

  for (const action of ['delayed', 'delivered', 'relayed', 'expanded', 'failure', '']) {
    it(`is none for the action "${action}"`, () => {
      assert.equal(classOfReport({ action, status: '5.1.1' }), null);
    });
  }

  for (const status of ['2.0.0', '3.1.1', '5', '5.1', '51.1', '5.1.1.1', '5.1.01', '5.1.1000', 'five', '']) {
    it(`is none for the status "${status}"`, () => {
      assert.equal(classOfReport({ action: 'failed', status }), null);
    });
  }

  it('takes any case of the action, spaces around and a comment behind the status', () => {
    assert.equal(classOfReport({ action: ' Failed ', status: ' 5.1.1 (no such user)' }), 'hard');
  });

  it('is hard for the statuses of the list alone', () => {
    fc.assert(
      fc.property(statuses, (status) => {
        const expected: BounceClass = HARD.includes(status) ? 'hard' : 'soft';
        assert.equal(classOfReport({ action: 'failed', status }), expected);
        assert.equal(classOfEvent(status), expected);
      }),
    );
  });

  it('never fails on any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (action, status) => {
        assert.ok([null, 'hard', 'soft'].includes(classOfReport({ action, status })));
      }),
    );
  });
});

describe('the class of a refusal', () => {
  const cases: [Refusal, BounceClass][] = [
    [{ code: 550, text: '5.1.1 No such user', answers: 'rcpt' }, 'hard'],
    [{ code: 550, text: '5.7.1 Blocked', answers: 'rcpt' }, 'soft'],
    [{ code: 554, text: '5.2.1 Mailbox disabled', answers: 'text' }, 'hard'],
    [{ code: 550, text: 'No such user', answers: 'rcpt' }, 'hard'],
    [{ code: 551, text: 'User not local', answers: 'rcpt' }, 'hard'],
    [{ code: 553, text: 'Name not allowed', answers: 'rcpt' }, 'hard'],
    [{ code: 552, text: 'Too much mail', answers: 'rcpt' }, 'soft'],
    [{ code: 554, text: 'Transaction failed', answers: 'rcpt' }, 'soft'],
    [{ code: 550, text: 'Looks like spam', answers: 'text' }, 'soft'],
    [{ code: 550, text: 'Sender refused', answers: 'mail' }, 'soft'],
    [{ code: 550, text: 'See RFC 5.1.1 of ours', answers: 'text' }, 'soft'],
  ];
  for (const [refusal, expected] of cases) {
    it(`is ${expected} for ${refusal.code} ${refusal.text} to ${refusal.answers}`, () => {
      assert.equal(classOfRefusal(refusal), expected);
    });
  }

  it('goes by the enhanced code where there is one, whatever the reply code', () => {
    fc.assert(
      fc.property(
        statuses,
        fc.integer({ min: 500, max: 559 }),
        fc.constantFrom('mail' as const, 'rcpt' as const, 'text' as const),
        (status, code, answers) => {
          const refusal = { code, text: `${status} for a reason`, answers };
          assert.equal(classOfRefusal(refusal), HARD.includes(status) ? 'hard' : 'soft');
        },
      ),
    );
  });
});

it('an event without a status of a failure is soft', () => {
  for (const status of [null, '', '2.0.0', 'unknown']) assert.equal(classOfEvent(status), 'soft');
});

it('the status of a failure is read where the text begins with it', () => {
  assert.equal(failureStatus('5.1.10 null MX'), '5.1.10');
  assert.equal(failureStatus('4.2.2'), '4.2.2');
  assert.equal(failureStatus('smtp; 5.1.1'), null);
});
