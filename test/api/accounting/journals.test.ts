import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { assertRollups, linesOf, newBooks, persistently, type Side } from '../../support/books.ts';

const app = await startApp();

const RENT: Side[] = [
  ['6310', 1_000],
  ['1110', -1_000],
];

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
    const entry = { date: '2025-05-01', lines: linesOf(RENT), post: true };
    const made = await Promise.all(
      Array.from({ length: 200 }, () => persistently(() => books.post('/accounting/journals', entry))),
    );
    const journals = made.map(({ body }) => body.journal);
    const numbers = journals.map(({ number }) => number).toSorted((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
    const draft = await books.book('2025-05-02', RENT);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => persistently(() => books.act(draft.id, 'post'))),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.ok(replies.every(({ status, body }) => status === 200 || body.code === 'invalid_transition'));
    const voids = await Promise.all(
      Array.from({ length: 20 }, () => persistently(() => books.act(draft.id, 'void', { reason: 'x' }))),
    );
    assert.equal(voids.filter(({ status }) => status === 200).length, 1);
    await assertRollups(app, books);
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
    const steps = (await books.get(`/accounting/journals/${draft.id}/approvals`)).body.items;
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
