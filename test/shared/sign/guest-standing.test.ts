import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../../shared/kernel/failure.ts';
import { secondsToCode } from '../../../shared/sign/guests/codes.ts';
import {
  type GuestCall,
  mayAct,
  requireStanding,
  type Standing,
} from '../../../shared/sign/guests/standing.ts';

const now = new Date('2026-12-01T00:00:00.000Z');

/** A signer in turn who has opened a document that was sent. */
const viewed: Standing = {
  document_status: 'sent',
  cancel_reason: null,
  expires_at: '2027-03-01T15:00:00.000Z',
  is_open: true,
  status: 'viewed',
  has_access: true,
};

function refusal(standing: Partial<Standing>, call: GuestCall): string | null {
  try {
    requireStanding({ ...viewed, ...standing }, call, now);
    return null;
  } catch (error) {
    assert.ok(error instanceof Failure);
    return error.code;
  }
}

/** What `open`, `read` and `act` are refused with. */
const refusals = (standing: Partial<Standing>) =>
  (['open', 'read', 'act'] as const).map((call) => refusal(standing, call));

describe('what a guest may do', () => {
  const over = { expires_at: now.toISOString() };
  const cases: [name: string, standing: Partial<Standing>, refused: (string | null)[]][] = [
    ['in turn, with access', {}, [null, null, null]],
    ['in turn, without access', { has_access: false }, [null, 'access_required', 'access_required']],
    ['in turn, before it was opened', { status: 'notified' }, [null, null, 'invalid_transition']],
    ['before the turn', { status: 'waiting' }, Array(3).fill('not_your_turn')],
    ['who has signed', { status: 'signed' }, [null, null, 'invalid_transition']],
    ['at the end of the time', over, Array(3).fill('signing_expired')],
    [
      'when all signed in time',
      { ...over, is_open: false, status: 'signed' },
      [null, null, 'invalid_transition'],
    ],
    [
      'when the end was noted',
      { document_status: 'cancelled', cancel_reason: 'expired', status: 'expired' },
      Array(3).fill('signing_expired'),
    ],
    [
      'when the sender cancelled',
      { document_status: 'cancelled', cancel_reason: 'by_sender', status: 'cancelled' },
      Array(3).fill('invalid_transition'),
    ],
    [
      'of a sealed document',
      { document_status: 'signed', status: 'signed', is_open: false },
      [null, null, 'invalid_transition'],
    ],
    [
      'of a sealed document, as a copy',
      { document_status: 'signed', status: 'notified', is_open: false },
      [null, null, 'invalid_transition'],
    ],
  ];
  for (const [name, standing, refused] of cases) {
    test(name, () => assert.deepEqual(refusals(standing), refused));
  }

  test('is refused in one order: the time, the turn, the access, the status', () => {
    const all = { ...over, status: 'waiting', has_access: false } as const;
    assert.equal(refusal(all, 'act'), 'signing_expired');
    assert.equal(refusal({ ...all, expires_at: null }, 'act'), 'not_your_turn');
    assert.equal(refusal({ status: 'signed', has_access: false }, 'act'), 'access_required');
  });

  test('who may act is told by the same rules', () => {
    assert.ok(mayAct(viewed, now));
    for (const standing of [{ has_access: false }, { status: 'signed' }, over] as const) {
      assert.ok(!mayAct({ ...viewed, ...standing }, now));
    }
  });
});

describe('another code by mail', () => {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();

  test('may be asked for once in 30 seconds and five times an hour', () => {
    assert.equal(secondsToCode([], now), 0);
    assert.equal(secondsToCode([ago(29)], now), 1);
    assert.equal(secondsToCode([ago(30)], now), 0);
    assert.equal(secondsToCode([ago(0)], now), 30);
    const four = [60, 600, 1_200, 1_800].map(ago);
    assert.equal(secondsToCode(four, now), 0);
    assert.equal(secondsToCode([...four, ago(3_000)], now), 600);
    assert.equal(secondsToCode([ago(10), ...four.slice(1), ago(3_599)], now), 20);
    assert.equal(secondsToCode([...four, ago(3_600)], now), 0);
  });
});
