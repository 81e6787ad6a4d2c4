import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { linesOf, newBooks, type Side } from '../../support/books.ts';

const app = await startApp();

const RENT: Side[] = [
  ['6310', 1_000],
  ['1110', -1_000],
];

describe('the chart', () => {
  test('is seeded once, with 150 accounts and the places of the account map', async () => {
    const books = await newBooks(app);
    const again = await books.post('/accounting/accounts/seed');
    assert.deepEqual(again.body, { created: 0, skipped: 150, differing: [] });
    const { body } = await books.get('/accounting/accounts?limit=500&sort=code:asc');
    assert.equal(body.total, 150);
    assert.partialDeepStrictEqual(body.items[0], {
      code: '1110',
      name: '現金',
      section: 'cash',
      cf_class: 'cash',
    });
    const { settings } = (await books.get('/accounting/settings')).body;
    const byCode = new Map(body.items.map(({ code, id }: { code: string; id: string }) => [code, id]));
    assert.equal(settings.account_map.receivable, byCode.get('1220'));
    assert.equal(settings.account_map.sales.reduced, byCode.get('4120'));
    const used = await books.delete(`/accounting/accounts/${byCode.get('1220')}`);
    assert.deepEqual([used.status, used.body.code], [409, 'in_use']);
    const found = await books.get(`/accounting/accounts?search=${encodeURIComponent('普通')}`);
    assert.deepEqual(
      found.body.items.map(({ code }: { code: string }) => code),
      ['1140'],
    );
  });

  test('has sub-accounts four levels deep, of one type, without a circle', async () => {
    const books = await newBooks(app);
    const parents: string[] = [];
    for (let level = 1; level <= 4; level += 1) {
      const fields = {
        code: `S-${level}`,
        name: `L${level}`,
        account_type: 'asset',
        parent_id: parents.at(-1) ?? null,
      };
      const made = await books.make('accounts', fields);
      assert.equal(made.section, 'other_current_assets');
      parents.push(made.id);
    }
    const deep = await books.post('/accounting/accounts', {
      code: 'X',
      name: 'X',
      account_type: 'asset',
      parent_id: parents[3],
    });
    assert.deepEqual([deep.status, deep.body.errors[0].code], [422, 'too_deep']);
    const circle = await books.patch(`/accounting/accounts/${parents[0]}`, { parent_id: parents[1] });
    assert.deepEqual([circle.status, circle.body.code], [409, 'cycle']);
    const other = await books.post('/accounting/accounts', {
      code: 'Y',
      name: 'Y',
      account_type: 'expense',
      parent_id: parents[0],
    });
    assert.deepEqual([other.status, other.body.errors[0].path], [422, '/parent_id']);
    const mixed = await books.post('/accounting/accounts', {
      code: 'Z',
      name: 'Z',
      account_type: 'asset',
      section: 'sales',
      cf_class: 'pl',
    });
    assert.deepEqual(
      mixed.body.errors.map(({ path }: { path: string }) => path),
      ['/section', '/cf_class'],
    );
  });
});

describe('entries', () => {
  test('are balanced, dated in an open year, on accounts that take lines', async () => {
    const books = await newBooks(app);
    const refusals: [Record<string, unknown>, number, string, string][] = [
      [
        {
          date: '2025-02-01',
          lines: linesOf([
            ['6310', 1_000],
            ['1110', -999],
          ]),
        },
        422,
        'unbalanced',
        '/lines',
      ],
      [{ date: '2026-02-01', lines: linesOf(RENT) }, 422, 'no_fiscal_year', '/date'],
      [{ date: '2025-02-30', lines: linesOf(RENT) }, 422, 'validation_failed', '/date'],
      [{ date: '2025-02-01', lines: linesOf(RENT.slice(1)) }, 422, 'validation_failed', '/lines'],
      [
        {
          date: '2025-02-01',
          lines: linesOf([
            ['9999', 1],
            ['1110', -1],
          ]),
        },
        422,
        'unknown_reference',
        '/lines/0/account_code',
      ],
      [
        { date: '2025-02-01', lines: [{ account_code: '1110', debit: 1, credit: 1 }, ...linesOf(RENT)] },
        422,
        'validation_failed',
        '/lines/0/credit',
      ],
      [
        { date: '2025-02-01', lines: [{ account_code: '1110', debit: 1.5 }, ...linesOf(RENT)] },
        422,
        'validation_failed',
        '/lines/0/debit',
      ],
      [
        { date: '2025-02-01', lines: [{ account_code: '1110', debit: 1_000_000_000_000 }, ...linesOf(RENT)] },
        422,
        'validation_failed',
        '/lines/0/debit',
      ],
      [{ date: '2025-02-01', kind: 'closing', lines: linesOf(RENT) }, 422, 'validation_failed', '/kind'],
      [
        {
          date: '2025-02-01',
          kind: 'opening',
          lines: linesOf([
            ['1110', 1],
            ['3110', -1],
          ]),
        },
        422,
        'not_first_day',
        '/date',
      ],
      [{ date: '2025-01-01', kind: 'opening', lines: linesOf(RENT) }, 422, 'validation_failed', '/lines'],
      [
        {
          date: '2025-02-01',
          lines: linesOf([
            ['6310', 1, { tax_category: 'P99' }],
            ['1110', -1],
          ]),
        },
        422,
        'validation_failed',
        '/lines/0/tax_category',
      ],
      [
        {
          date: '2025-02-01',
          lines: linesOf([
            ['6310', 1, { department_id: 'dep_x' }],
            ['1110', -1],
          ]),
        },
        422,
        'unknown_reference',
        '/lines/0/department_id',
      ],
    ];
    for (const [body, status, code, path] of refusals) {
      const reply = await books.post('/accounting/journals', body);
      assert.deepEqual(
        [reply.status, reply.body.code, reply.body.errors[0].path],
        [status, code, path],
        reply.text,
      );
    }
    assert.equal((await books.get('/accounting/journals')).body.total, 0);
  });

  test('are numbered in the order of posting, frozen, and voided by a mirror', async () => {
    const books = await newBooks(app);
    const draft = await books.book('2025-03-01', RENT, { description: '3月' });
    assert.deepEqual([draft.status, draft.number, draft.total], ['draft', null, 1_000]);
    assert.deepEqual(draft.available_actions, ['update', 'delete', 'submit', 'post', 'duplicate']);
    const first = await books.post_entry('2025-04-01', RENT);
    const { journal } = (await books.act(draft.id, 'post')).body;
    assert.deepEqual([first.number, journal.number], [1, 2]);
    assert.ok(journal.days_late > 0);
    const frozen = await books.patch(`/accounting/journals/${journal.id}`, { description: 'x' });
    assert.deepEqual([frozen.status, frozen.body.code], [409, 'frozen']);
    assert.equal((await books.delete(`/accounting/journals/${journal.id}`)).body.code, 'frozen');
    const { status, body } = await books.act(journal.id, 'void', { reason: '誤り' });
    assert.equal(status, 200);
    assert.deepEqual([body.journal.status, body.journal.reversed_by], ['voided', body.reversal.id]);
    assert.partialDeepStrictEqual(body.reversal, {
      number: 3,
      kind: 'reversal',
      status: 'posted',
      date: '2025-03-01',
      description: '3月',
      reverses: journal.id,
    });
    assert.deepEqual(
      body.reversal.lines.map(({ account_code, debit, credit }: Record<string, unknown>) => [
        account_code,
        debit,
        credit,
      ]),
      [
        ['6310', 0, 1_000],
        ['1110', 1_000, 0],
      ],
    );
    const mirror = await books.act(body.reversal.id, 'void', { reason: 'x' });
    assert.deepEqual([mirror.status, mirror.body.code], [409, 'invalid_transition']);
  });

  test('200 posts at once get 200 numbers in a row, and 20 posts of one entry one', async () => {
    const books = await newBooks(app);
    const journals = await Promise.all(
      Array.from({ length: 200 }, () => books.post_entry('2025-05-01', RENT)),
    );
    const numbers = journals.map(({ number }) => number).toSorted((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
    const draft = await books.book('2025-05-02', RENT);
    const replies = await Promise.all(Array.from({ length: 20 }, () => books.act(draft.id, 'post')));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.ok(replies.every(({ status, body }) => status === 200 || body.code === 'invalid_transition'));
    const voids = await Promise.all(
      Array.from({ length: 20 }, () => books.act(draft.id, 'void', { reason: 'x' })),
    );
    assert.equal(voids.filter(({ status }) => status === 200).length, 1);
    await rollupsHold(books.organization_id);
  });

  test('split the tax of a gross amount, as the year rounds it', async () => {
    const books = await newBooks(app);
    const entry = await books.book('2025-06-01', [
      ['5140', 55_000, { tax_category: 'P10T80', auto_tax: true }],
      ['2120', -55_000],
    ]);
    assert.deepEqual(
      entry.lines.map(({ account_code, debit, credit, tax_category, is_tax }: Record<string, unknown>) => [
        account_code,
        debit,
        credit,
        tax_category,
        is_tax,
      ]),
      [
        ['5140', 51_000, 0, 'P10T80', false],
        ['1580', 4_000, 0, 'P10T80', true],
        ['2120', 0, 55_000, 'O', false],
      ],
    );
    assert.deepEqual(entry.warnings, []);
    const late = await books.book('2025-06-01', [
      ['5140', 100, { tax_category: 'P10T50' }],
      ['2120', -100],
    ]);
    assert.deepEqual(late.warnings[0].code, 'tax_category_not_in_force');
  });
});

describe('approval', () => {
  test('takes another person where four eyes are asked for, and goes back to the author with a comment', async () => {
    const books = await newBooks(app);
    const other = await app.actor({ organization_id: books.organization_id });
    await books.patch('/accounting/settings', { approval: { required: true } });
    const draft = await books.book('2025-07-01', RENT);
    const unapproved = await books.act(draft.id, 'post');
    assert.deepEqual([unapproved.status, unapproved.body.code], [409, 'approval_required']);
    await books.act(draft.id, 'submit', { comment: '確認お願いします' });
    const own = await books.act(draft.id, 'approve', {});
    assert.deepEqual([own.status, own.body.code], [403, 'four_eyes']);
    const silent = await other.post(`/accounting/journals/${draft.id}/approve`, { action: 'reject' });
    assert.equal(silent.status, 422);
    const rejected = await other.post(`/accounting/journals/${draft.id}/approve`, {
      action: 'reject',
      comment: '領収書がない',
    });
    assert.equal(rejected.body.journal.status, 'rejected');
    await books.patch(`/accounting/journals/${draft.id}`, { reference: 'R-1' });
    await books.act(draft.id, 'submit');
    const approvals = await Promise.all(
      Array.from({ length: 10 }, () => other.post(`/accounting/journals/${draft.id}/approve`, {})),
    );
    assert.equal(approvals.filter(({ status }) => status === 200).length, 1);
    const posted = await books.act(draft.id, 'post');
    assert.partialDeepStrictEqual(posted.body.journal, { status: 'posted', number: 1, round: 2 });
    const steps = (await books.get(`/accounting/journals/${draft.id}/approvals`)).body.approvals;
    assert.deepEqual(
      steps.map(({ round, action }: Record<string, unknown>) => [round, action]),
      [
        [1, 'submit'],
        [1, 'reject'],
        [2, 'submit'],
        [2, 'approve'],
      ],
    );
  });

  test('is for those whom the settings named at the submit', async () => {
    const books = await newBooks(app);
    const [one, two] = [
      await app.actor({ organization_id: books.organization_id }),
      await app.actor({ organization_id: books.organization_id }),
    ];
    await books.patch('/accounting/settings', { approval: { user_ids: [one.actor.user_id] } });
    const draft = await books.book('2025-07-01', RENT);
    await books.act(draft.id, 'submit');
    await books.patch('/accounting/settings', { approval: { user_ids: [] } });
    const refused = await two.post(`/accounting/journals/${draft.id}/approve`);
    assert.deepEqual([refused.status, refused.body.code], [403, 'not_approver']);
    const withdrawn = await two.post(`/accounting/journals/${draft.id}/withdraw`);
    assert.deepEqual([withdrawn.status, withdrawn.body.code], [403, 'not_author']);
    assert.equal((await one.post(`/accounting/journals/${draft.id}/approve`)).status, 200);
    const back = await books.act(draft.id, 'withdraw');
    assert.equal(back.body.journal.status, 'draft');
  });
});

describe('locks', () => {
  test('keep days from all, from those without the right, or from entries of one source', async () => {
    const books = await newBooks(app);
    const clerk = await app.actor({
      organization_id: books.organization_id,
      scopes: ['accounting:read', 'accounting:write'],
    });
    const draft = await books.book('2025-04-15', RENT);
    const { period_lock, unposted_count } = (
      await books.post('/accounting/period-locks', { to: '2025-04-30', reason: '月次' })
    ).body;
    assert.deepEqual([period_lock.level, period_lock.scope, unposted_count], ['soft', 'all', 1]);
    const body = { date: '2025-04-30', lines: linesOf(RENT) };
    const kept = await clerk.post('/accounting/journals', body);
    assert.deepEqual(
      [kept.status, kept.body.code, kept.body.lock_id],
      [409, 'period_locked', period_lock.id],
    );
    const moved = await clerk.patch(`/accounting/journals/${draft.id}`, { date: '2025-05-01' });
    assert.equal(moved.body.code, 'period_locked');
    assert.equal((await books.post('/accounting/journals', body)).status, 201);
    await books.make('period-locks', { to: '2025-04-30', level: 'hard', scope: 'sales' });
    assert.equal((await books.post('/accounting/journals', body)).status, 201);
    await books.make('period-locks', { from: '2025-04-01', to: '2025-04-30', level: 'hard' });
    assert.equal((await books.post('/accounting/journals', body)).body.code, 'period_locked');
    // A mirror goes to the present where its own day is locked, which no year holds here.
    const posted = await books.post_entry('2025-05-01', RENT);
    await books.make('period-locks', { to: '2025-12-31', level: 'hard' });
    const voided = await books.act(posted.id, 'void', { reason: 'x' });
    assert.equal(voided.body.code, 'no_fiscal_year');
    assert.equal((await books.get('/accounting/period-locks?date=2025-04-30')).body.total, 4);
  });

  test('are taken after what is being posted, which is refused from then on', async () => {
    const books = await newBooks(app);
    const posts = Array.from({ length: 40 }, () =>
      books.post('/accounting/journals', { date: '2025-08-01', lines: linesOf(RENT), post: true }),
    );
    const lock = books.make('period-locks', { to: '2025-08-31', level: 'hard' });
    const replies = await Promise.all(posts);
    await lock;
    assert.ok(replies.every(({ status, body }) => status === 201 || body.code === 'period_locked'));
    const late = await books.post('/accounting/journals', {
      date: '2025-08-01',
      lines: linesOf(RENT),
      post: true,
    });
    assert.equal(late.body.code, 'period_locked');
    await rollupsHold(books.organization_id);
  });
});

describe('years', () => {
  test('follow each other, have 18 months at most, and stay as they are once entries are in them', async () => {
    const books = await newBooks(app);
    const gap = await books.post('/accounting/fiscal-years', {
      start_date: '2026-02-01',
      end_date: '2026-12-31',
    });
    assert.deepEqual(
      [gap.status, gap.body.code, gap.body.errors[0].path],
      [422, 'not_contiguous', '/start_date'],
    );
    const long = await books.post('/accounting/fiscal-years', {
      start_date: '2026-01-01',
      end_date: '2027-07-01',
    });
    assert.deepEqual([long.status, long.body.errors[0].path], [422, '/end_date']);
    const next = await books.make('fiscal-years', { start_date: '2026-01-01', end_date: '2027-06-30' });
    assert.equal(next.name, 'FY2026');
    await books.post_entry(
      '2025-01-01',
      [
        ['1140', 500],
        ['3110', -500],
      ],
      { kind: 'opening' },
    );
    const earlier = await books.post('/accounting/fiscal-years', {
      start_date: '2024-01-01',
      end_date: '2024-12-31',
    });
    assert.deepEqual([earlier.status, earlier.body.code], [409, 'opening_exists']);
    const used = await books.patch(`/accounting/fiscal-years/${books.year.id}`, { tax_rounding: 'ceil' });
    assert.deepEqual([used.status, used.body.code], [409, 'in_use']);
    const named = await books.patch(`/accounting/fiscal-years/${books.year.id}`, { name: '第1期' });
    assert.equal(named.body.fiscal_year.name, '第1期');
  });
});

describe('the database', () => {
  test('holds entries that balance, and posted ones as they are, whatever is sent to it', async () => {
    const books = await newBooks(app);
    const posted = await books.post_entry('2025-03-01', RENT);
    const draft = await books.book('2025-03-01', RENT);
    const run = (text: string, id: string) =>
      app.database.withConnection(books.organization_id, (connection) => connection.query(text, [id]));
    for (const text of [
      'UPDATE accounting_lines SET debit = debit + 1 WHERE journal_id = $1 AND line = 1',
      'DELETE FROM accounting_lines WHERE journal_id = $1 AND line = 1',
      "UPDATE accounting_journals SET total = total + 1 WHERE id = $1 AND status = 'draft' RETURNING 1/(CASE WHEN number IS NULL THEN 1 END)",
    ]) {
      await assert.rejects(run(text, draft.id), /out of balance/, text);
    }
    for (const text of [
      "UPDATE accounting_lines SET description = 'x' WHERE journal_id = $1",
      'DELETE FROM accounting_lines WHERE journal_id = $1',
      "UPDATE accounting_journals SET description = 'x' WHERE id = $1",
      "UPDATE accounting_journals SET status = 'draft' WHERE id = $1",
      'DELETE FROM accounting_journals WHERE id = $1',
    ]) {
      await assert.rejects(run(text, posted.id), /is posted|violates/, text);
    }
  });
});

/** The rollups are the sums of the posted lines. */
async function rollupsHold(organization_id: string): Promise<void> {
  await app.database.withConnection(organization_id, async ({ query }) => {
    const months = await query(
      `SELECT account_id, kind_group, month, debit, credit FROM accounting_months
        WHERE organization_id = $1 ORDER BY 1, 2, 3`,
      [organization_id],
    );
    const days = await query(
      `SELECT account_id, kind_group, date, debit, credit FROM accounting_days
        WHERE organization_id = $1 ORDER BY 1, 2, 3`,
      [organization_id],
    );
    const sums = (day: string) =>
      query(
        `SELECT account_id, kind_group, ${day} AS day, sum(debit)::bigint AS debit, sum(credit)::bigint AS credit
           FROM accounting_lines WHERE organization_id = $1 AND number IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
        [organization_id],
      );
    const values = (rows: object[]) => rows.map((row) => Object.values(row));
    assert.deepEqual(values(months), values(await sums("date_trunc('month', date)::date")));
    assert.deepEqual(values(days), values(await sums('date')));
    assert.ok(months.length > 0);
  });
}
