import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Condition } from '../../../shared/db/keyset.ts';
import {
  ageing,
  ageingBuckets,
  ageingExpression,
  ageingOf,
  type DueInvoice,
  daysOverdue,
  dueSoon,
  dueSoonExpression,
  expired,
  isDueSoon,
  isExpired,
  isOutstanding,
  isOverdue,
  outstanding,
  overdue,
} from '../../../shared/invoicing/documents/due.ts';
import { kinds } from '../../../shared/invoicing/documents/kinds.ts';
import { daysLater } from '../../../shared/kernel/days.ts';
import { freshDatabase } from '../../support/database.ts';

const TODAY = '2026-04-15';
const statuses = [...new Set([...kinds.invoice.statuses, ...kinds.quotation.statuses])];

const around = fc.oneof(
  fc.constantFrom(-92, -91, -90, -61, -60, -31, -30, -1, 0, 1, 7, 8),
  fc.integer({ min: -500, max: 500 }),
);
const invoices: fc.Arbitrary<DueInvoice> = fc.record({
  status: fc.constantFrom(...statuses),
  due_date: fc.option(
    around.map((days) => daysLater(TODAY, days)),
    { freq: 8 },
  ),
  balance: fc.oneof(fc.bigInt(1n, 10n), fc.constantFrom(0n, -1n)),
});

const open = (days: number, status = 'sent'): DueInvoice => ({
  status,
  due_date: daysLater(TODAY, days),
  balance: 1n,
});

describe('one invoice', () => {
  it('is overdue from the day after its due date, in the buckets of its days', () => {
    const told = [1, 0, -1, -30, -31, -60, -61, -90, -91].map((days) => [
      ageingOf(open(days), TODAY),
      daysOverdue(open(days), TODAY),
    ]);
    assert.deepEqual(told, [
      ['not_due', null],
      ['not_due', null],
      ['1_30', 1],
      ['1_30', 30],
      ['31_60', 31],
      ['31_60', 60],
      ['61_90', 61],
      ['61_90', 90],
      ['91_plus', 91],
    ]);
  });

  it('is due soon from today to the seventh day from now', () => {
    assert.deepEqual(
      [-1, 0, 7, 8].map((days) => isDueSoon(open(days), TODAY)),
      [false, true, true, false],
    );
  });

  it('is neither as a draft, cancelled, paid, or with nothing left to pay', () => {
    const settled = [
      { ...open(-5), balance: 0n },
      { ...open(-5), balance: -1n },
      ...['draft', 'paid', 'cancelled'].map((status) => open(-5, status)),
    ];
    for (const invoice of settled) {
      assert.equal(isOutstanding(invoice), false);
      assert.equal(isOverdue(invoice, TODAY), false);
      assert.equal(ageingOf(invoice, TODAY), null);
    }
  });
});

describe('the conditions find the rows that the rules name', async () => {
  const own = await freshDatabase();
  after(() => own.drop());

  const rules: [string, Condition, (invoice: DueInvoice) => boolean][] = [
    ...[true, false].flatMap((wanted): [string, Condition, (invoice: DueInvoice) => boolean][] => [
      [`overdue ${wanted}`, overdue(wanted, TODAY), (one) => isOverdue(one, TODAY) === wanted],
      [`due_soon ${wanted}`, dueSoon(wanted, TODAY), (one) => isDueSoon(one, TODAY) === wanted],
      [`outstanding ${wanted}`, outstanding(wanted), (one) => isOutstanding(one) === wanted],
      [`expired ${wanted}`, expired(wanted, TODAY), (one) => isExpired(one, TODAY) === wanted],
    ]),
    ...ageingBuckets.map((bucket): [string, Condition, (invoice: DueInvoice) => boolean] => [
      `ageing ${bucket}`,
      ageing(bucket, TODAY),
      (one) => ageingOf(one, TODAY) === bucket,
    ]),
  ];

  const among = (many: readonly DueInvoice[]) => {
    const rows = many.map((one, place) => ({ ...one, balance: Number(one.balance), place }));
    return JSON.stringify(rows);
  };
  const ROWS = '(status text, due_date date, balance bigint, place int)';

  it('as what is asked of every row at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(invoices, { minLength: 1, maxLength: 60 }), async (many) => {
        const found = await own.database.withConnection('*', ({ query }) =>
          query(
            `SELECT ${ageingExpression('$2::date')} AS bucket, ${dueSoonExpression('$2::date')} AS is_due_soon
               FROM jsonb_to_recordset($1) AS found ${ROWS} ORDER BY place`,
            [among(many), TODAY],
          ),
        );
        const expected = many.map((one) => ({
          bucket: ageingOf(one, TODAY),
          is_due_soon: isDueSoon(one, TODAY),
        }));
        assert.deepEqual(found, expected);
      }),
      { numRuns: 60 },
    );
  });

  for (const [name, condition, rule] of rules) {
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(invoices, { minLength: 1, maxLength: 60 }), async (many) => {
          const found = await own.database.withConnection('*', ({ knex }) =>
            knex
              .from(knex.raw(`jsonb_to_recordset(?) AS found ${ROWS}`, [among(many)]))
              .whereRaw(condition.text, condition.values as string[])
              .orderBy('place')
              .pluck('place'),
          );
          const expected = many.flatMap((one, place) => (rule(one) ? [place] : []));
          assert.deepEqual(found, expected);
        }),
        { numRuns: 40 },
      );
    });
  }
});
