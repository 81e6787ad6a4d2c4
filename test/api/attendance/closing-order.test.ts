import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../support/app.ts';
import {
  type ClosingOffice,
  newClosingOffice,
  outcome,
  putDay,
  SUBMISSIONS,
  sessionOn,
} from '../../support/closing.ts';

const app = await startApp({ now: () => new Date('2026-11-24T01:00:00.000Z') });

const MONTHS = ['2026-08', '2026-09', '2026-10'] as const;

type Month = (typeof MONTHS)[number];

type Step = {
  action: 'put' | 'submit' | 'confirm' | 'return' | 'reopen';
  month: Month;
  day: number;
  hours: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('put', 'put', 'submit', 'submit', 'confirm', 'confirm', 'return', 'reopen'),
  month: fc.constantFrom(...MONTHS),
  day: fc.integer({ min: 3, max: 20 }),
  hours: fc.integer({ min: 1, max: 9 }),
});

/** What is known on paper: how far each month is, and which have a record. */
class Paper {
  readonly statuses = new Map<Month, string>();
  readonly recorded = new Set<Month>();

  isClosed(month: Month): boolean {
    return ['submitted', 'confirmed'].includes(this.statuses.get(month) ?? 'none');
  }

  /** What a step is answered with: the status after it, or the code of its refusal. */
  take({ action, month }: Step): string {
    const status = this.statuses.get(month) ?? 'none';
    if (action === 'put') {
      if (this.isClosed(month)) return 'month_locked';
      this.recorded.add(month);
      return 'taken';
    }
    if (!FROM[action].includes(status)) return status === 'none' ? 'absent' : 'invalid_transition';
    const isEarlierOpen = MONTHS.some(
      (other) => other < month && this.recorded.has(other) && this.statuses.get(other) !== 'confirmed',
    );
    if ((action === 'submit' || action === 'confirm') && isEarlierOpen) return 'earlier_period_open';
    if (action === 'reopen' && MONTHS.some((other) => other > month && this.isClosed(other))) {
      return 'later_period_closed';
    }
    this.statuses.set(month, TO[action]);
    return TO[action];
  }
}

const FROM: Record<Exclude<Step['action'], 'put'>, readonly string[]> = {
  submit: ['none', 'returned', 'reopened'],
  confirm: ['submitted'],
  return: ['submitted'],
  reopen: ['confirmed'],
};

const TO = { submit: 'submitted', confirm: 'confirmed', return: 'returned', reopen: 'reopened' } as const;

/** The same step by the API. */
async function call(
  { owner, member }: ClosingOffice,
  ids: Map<Month, string>,
  { action, month, day, hours }: Step,
): Promise<string> {
  if (action === 'put') {
    const date = `${month}-${String(day).padStart(2, '0')}`;
    const reply = await putDay(owner, member, date, [sessionOn(date, 0, hours)]);
    return reply.status === 200 ? 'taken' : outcome(reply)[1]!;
  }
  if (action !== 'submit' && !ids.has(month)) return 'absent';
  const reply =
    action === 'submit'
      ? await member.post(SUBMISSIONS, { month, accept_absences: true })
      : await owner.post(
          `${SUBMISSIONS}/${ids.get(month)}/${action}`,
          action === 'confirm' ? undefined : { comment: '訂正' },
        );
  if (reply.status >= 300) return outcome(reply)[1]!;
  ids.set(month, reply.body.submission.id);
  return reply.body.submission.status;
}

test('writes and closings in any order lock the days that they lock on paper', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), async (steps) => {
      const office = await newClosingOffice(app);
      const paper = new Paper();
      const ids = new Map<Month, string>();
      for (const [place, one] of steps.entries()) {
        assert.equal(await call(office, ids, one), paper.take(one), `${place}: ${one.action} ${one.month}`);
      }
      for (const month of MONTHS) {
        const { record } = await office.owner.done('GET', `/records/${office.member.member_id}/${month}-10`);
        assert.equal(record.locked, paper.isClosed(month), month);
      }
    }),
    { numRuns: 8 },
  );
});
