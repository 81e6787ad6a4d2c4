import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { assertRollups, linesOf, newBooks, persistently } from '../../support/books.ts';
import { ended } from '../../support/exports.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const entry = (n: number, fields: object = {}) => ({
  date: `2025-03-${String((n % 28) + 1).padStart(2, '0')}`,
  description: `仕訳${n}`,
  lines: linesOf([
    ['6250', 100 + n],
    ['1110', -(100 + n)],
  ]),
  ...fields,
});

const many = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, n) => entry(n, fields));

describe('a batch of entries', () => {
  test('is made in its order, posted and numbered in one commit', async () => {
    const books = await newBooks(app);
    const reply = await books.post('/accounting/journals/batch', { journals: many(500), post: true });
    assert.equal(reply.status, 201, reply.text.slice(0, 500));
    assert.deepEqual(
      reply.body.journals.map(({ number, description }: Shown) => [number, description]),
      many(500).map(({ description }, n) => [n + 1, description]),
    );
    await assertRollups(app, books);
    const drafts = await books.post('/accounting/journals/batch', { journals: many(2) });
    assert.deepEqual(
      drafts.body.journals.map(({ status, number }: Shown) => [status, number]),
      [
        ['draft', null],
        ['draft', null],
      ],
    );
  });

  test('is made whole or not at all, and names the place of what is wrong', async () => {
    const books = await newBooks(app);
    const refused = async (journals: object[], more: object = {}) => {
      const reply = await books.post('/accounting/journals/batch', { journals, post: true, ...more });
      return [reply.status, reply.body.code, reply.body.errors?.[0]?.path];
    };
    const off = linesOf([
      ['6250', 100],
      ['1110', -99],
    ]);
    const unknown = linesOf([
      ['6250', 100],
      ['9999', -100],
    ]);
    const negative = [
      { account_code: '6250', debit: 1 },
      { account_code: '1110', debit: -1 },
    ];
    assert.deepEqual(await refused([...many(3), entry(3, { lines: off })]), [
      422,
      'unbalanced',
      '/journals/3/lines',
    ]);
    assert.deepEqual(await refused([entry(0), entry(1, { lines: unknown })]), [
      422,
      'unknown_reference',
      '/journals/1/lines/1/account_code',
    ]);
    assert.deepEqual(await refused([entry(0), entry(1, { lines: negative })]), [
      422,
      'validation_failed',
      '/journals/1/lines/1/debit',
    ]);
    assert.deepEqual(await refused([entry(0), entry(1, { date: '2031-01-01' })]), [
      422,
      'no_fiscal_year',
      '/journals/1/date',
    ]);
    assert.deepEqual(await refused([entry(0, { external_id: 'A' }), entry(1, { external_id: 'A' })]), [
      422,
      'validation_failed',
      '/journals/1/external_id',
    ]);
    assert.deepEqual(await refused([entry(0, { post: true })]), [
      422,
      'validation_failed',
      '/journals/0/post',
    ]);
    assert.deepEqual(await refused(many(501)), [422, 'validation_failed', '/journals']);
    assert.deepEqual(await refused([]), [422, 'validation_failed', '/journals']);
    assert.deepEqual(await refused(many(1), { action: 'post' }), [422, 'validation_failed', '/action']);
    const made = await books.book(
      '2025-03-01',
      [
        ['6250', 1],
        ['1110', -1],
      ],
      { external_id: 'B' },
    );
    const reply = await books.post('/accounting/journals/batch', {
      journals: [entry(0), entry(1, { external_id: 'B' })],
    });
    assert.deepEqual(
      [reply.status, reply.body.code, reply.body.errors[0].path, reply.body.existing_id],
      [409, 'already_exists', '/journals/1/external_id', made.id],
    );
    const { body } = await books.get('/accounting/journals');
    assert.equal((body.items ?? body.data).length, 1);
  });

  test('may have 8 MiB', async () => {
    const books = await newBooks(app);
    const description = '品'.repeat(500);
    const lines = Array.from({ length: 100 }, (_, n) => {
      return {
        account_code: n % 2 === 0 ? '6250' : '1110',
        [n % 2 === 0 ? 'debit' : 'credit']: 100,
        description,
      };
    });
    const of = (count: number) => ({ journals: many(count, { lines }) });
    const reply = await books.post('/accounting/journals/batch', of(50));
    assert.equal(reply.status, 201, reply.text.slice(0, 500));
    const large = await books.post('/accounting/journals/batch', of(60));
    assert.deepEqual([large.status, large.body.code], [413, 'body_too_large']);
  });

  test('has consecutive numbers, however many are posted at once', async () => {
    const books = await newBooks(app);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        persistently(() => books.post('/accounting/journals/batch', { journals: many(25), post: true })),
      ),
    );
    const numbers = replies.map((reply) => {
      assert.equal(reply.status, 201, reply.text.slice(0, 500));
      return reply.body.journals.map(({ number }: Shown) => number);
    });
    for (const own of numbers)
      assert.deepEqual(
        own,
        own.map((_: number, n: number) => own[0] + n),
      );
    assert.deepEqual(
      numbers.flat().toSorted((one: number, other: number) => one - other),
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
    await assertRollups(app, books);
  });
});

describe('one thing done to many entries', () => {
  test('is a job that does to each what its single call would do', async () => {
    const { dataDir } = app.context.settings;
    await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'csv-import']);
    const books = await newBooks(app);
    const { journals } = (await books.post('/accounting/journals/batch', { journals: many(5) })).body;
    const ids = journals.map(({ id }: Shown) => id);
    await books.act(ids[2], 'post');
    const done = async (body: object) => {
      const reply = await books.post('/accounting/journals/batch', body);
      assert.equal(reply.status, 202, reply.text);
      const job = await ended(books, reply.body.job.id);
      assert.equal(job.status, 'succeeded', JSON.stringify(job));
      return job.result as Shown;
    };
    const submitted = await done({ action: 'submit', ids, comment: '月次' });
    assert.deepEqual([submitted.succeeded, submitted.failed], [4, 1]);
    assert.deepEqual(submitted.entries[2], { id: ids[2], status: 409, code: 'invalid_transition' });
    const own = await done({ action: 'approve', filter: { status: 'submitted' } });
    assert.deepEqual([own.succeeded, own.failed, own.entries[0].code], [0, 4, 'four_eyes']);
    await books.patch('/accounting/settings', { approval: { four_eyes: false } });
    assert.equal((await done({ action: 'approve', filter: { status: 'submitted' } })).succeeded, 4);
    assert.equal((await done({ action: 'post', filter: { status: 'approved' } })).succeeded, 4);
    await assertRollups(app, books);
  });
});
