import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import {
  depositCountsOf,
  depositsOf,
  endOfDeposits,
  depositFaultsOf as faultsOf,
  importedDeposits,
  MONTH_OF_STATEMENT as MONTH,
  statement,
} from '../../support/deposit-imports.ts';
import { newSeller } from '../../support/documents.ts';
import { toldBy } from '../../support/facts.ts';
import { encoded } from '../../support/reading.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

describe('an import of a statement', () => {
  test('makes a deposit of each line with money in, as a call would', async () => {
    const seller = await newSeller(app);
    let done: Shown;
    const told = await toldBy(app, seller.organization_id, async () => {
      done = await importedDeposits(seller, encoded(MONTH, 'shift_jis'));
    });
    assert.deepEqual(depositCountsOf(done), ['completed', 2, 1, 0, 0]);
    assert.equal(done.encoding, 'shift_jis');
    assert.match(done.id, /^dimp_/);
    const [one, other] = await depositsOf(seller);
    const called = await seller.make('/deposits', {
      amount: 23_000,
      received_on: '2026-05-29',
      payer_name: 'カ)ヤマダシヨウテン',
    });
    const bare = ({ id: _, created_at: __, updated_at: ___, ...rest }: Shown) => rest;
    assert.deepEqual(bare(one), bare(called));
    assert.deepEqual(
      [other.received_on, other.amount, other.payer_name, other.unallocated],
      ['2026-05-31', 5_000, 'ｽｽﾞｷ', 5_000],
    );
    assert.deepEqual(told.events, []);
    assert.deepEqual(told.audit.map(({ entity_type }) => entity_type).toSorted(), [
      'deposit',
      'deposit',
      'import',
      'job',
      'job',
    ]);
  });

  test('shows before what it would leave alone, in the language of who asks', async () => {
    const seller = await newSeller(app);
    const shown = await seller.post('/deposits/import/preview', formWith(MONTH));
    assert.equal(shown.status, 200, shown.text);
    assert.deepEqual(shown.body.preview.mapping, {
      日付: 'received_on',
      摘要: 'payer_name',
      出金額: 'withdrawal',
      入金額: 'amount',
    });
    assert.deepEqual(shown.body.preview.warnings, [
      { row: 3, code: 'money_out', message: 'Money goes out: the row is left alone' },
    ]);
    assert.deepEqual(shown.body.preview.normalized, [
      { row: 2, column: '摘要', before: '振込 カ)ヤマダシヨウテン', after: 'カ)ヤマダシヨウテン' },
    ]);
    const japanese = await seller.post('/deposits/import/preview', formWith(MONTH), {
      'Accept-Language': 'ja',
    });
    assert.equal(japanese.body.preview.warnings[0].message, '出金の行のため、取り込みません');
    assert.deepEqual(await depositsOf(seller), []);
  });

  test('adds nothing the second time, also of what was renamed since, and takes equal lines for as many transfers', async () => {
    const seller = await newSeller(app);
    const line = '2026/5/29,ﾔﾏﾀﾞ,,1000';
    const once = await importedDeposits(seller, statement(line, line));
    assert.deepEqual(depositCountsOf(once), ['completed', 2, 0, 0, 0]);
    const again = await importedDeposits(seller, statement(line, line));
    assert.deepEqual(depositCountsOf(again), ['completed', 0, 0, 2, 0]);
    const more = await importedDeposits(seller, statement(line, line, line));
    assert.deepEqual(depositCountsOf(more), ['completed', 1, 0, 2, 0]);
    const [{ id }, ...others] = await depositsOf(seller);
    assert.equal(others.length, 2);
    assert.equal((await seller.patch(`/deposits/${id}`, { payer_name: '山田商店' })).status, 200);
    const renamed = await importedDeposits(seller, statement(line, line, line));
    assert.deepEqual(depositCountsOf(renamed), ['completed', 0, 0, 3, 0]);
    const tried = await importedDeposits(seller, statement(line, line, line, line), { dry_run: 'true' });
    assert.deepEqual(depositCountsOf(tried), ['completed', 1, 0, 3, 0]);
    assert.equal((await depositsOf(seller)).length, 3);
  });

  test('counts equal lines over the chunks of a long file', async () => {
    const seller = await newSeller(app);
    const lines = (count: number) => statement(...Array.from({ length: count }, () => '2026/5/29,ﾔﾏﾀﾞ,,1000'));
    assert.deepEqual(depositCountsOf(await importedDeposits(seller, lines(700))), [
      'completed',
      700,
      0,
      0,
      0,
    ]);
    assert.deepEqual(depositCountsOf(await importedDeposits(seller, lines(1_300))), [
      'completed',
      600,
      0,
      700,
      0,
    ]);
    assert.equal((await seller.get('/deposits?limit=1')).body.total, 1_300);
  });

  test('knows a deposit by its own key, also from a line above', async () => {
    const seller = await newSeller(app);
    await seller.make('/deposits', { amount: 500, received_on: '2026-05-01', external_id: 'A' });
    const text = [
      '外部ID,入金日,入金額',
      'A,2026-05-02,999',
      'B,2026-05-02,100',
      'B,2026-05-02,100',
      'C,2026-05-02,100',
      'A,2026-05-01,500',
    ].join('\r\n');
    const done = await importedDeposits(seller, text);
    assert.deepEqual(depositCountsOf(done), ['completed', 2, 0, 2, 1]);
    assert.deepEqual(await faultsOf(seller, done), [[2, 'already_exists', '外部ID']]);
    assert.deepEqual(
      (await depositsOf(seller)).map(({ external_id, amount }) => [external_id, amount]),
      [
        ['A', 500],
        ['B', 100],
        ['C', 100],
      ],
    );
  });

  test('tells what is wrong with a line in both languages, and takes the others', async () => {
    const seller = await newSeller(app);
    const done = await importedDeposits(
      seller,
      statement(
        '2099/1/1,A,,100',
        '2026/5/29,B,5,5',
        '5月29日,C,,100',
        '2026/5/29,D,,-100',
        '2026/5/29,E,,100',
      ),
    );
    assert.deepEqual(depositCountsOf(done), ['completed', 1, 0, 0, 4]);
    assert.deepEqual(await faultsOf(seller, done), [
      [2, 'future_date', '日付'],
      [3, 'both_ways', '入金額'],
      [4, 'unknown_day', '日付'],
      [5, 'too_small', '入金額'],
    ]);
    for (const [lang, words] of [
      ['en', /days ahead.+money in and money out.+This is no day/s],
      ['ja', /日より先の日付.+入金額と出金額の両方.+日付として読み取れません/s],
    ] as const) {
      const { text } = await seller.get(`/deposits/imports/${done.id}/errors?lang=${lang}`);
      assert.match(text, words);
    }
  });

  test('refuses a file that is no statement', async () => {
    const seller = await newSeller(app);
    const reply = await seller.post('/deposits/import', formWith('会社名,電話番号\r\n山田商店,03-1234-5678'));
    assert.deepEqual([reply.status, reply.body.errors[0].code], [422, 'no_known_columns']);
    const without = await seller.post('/deposits/import', formWith('日付,残高\r\n2026/5/29,5'));
    assert.deepEqual([without.status, without.body.errors[0].path], [422, '/mapping']);
  });

  test('two of the same file at once make each deposit once', async () => {
    const seller = await newSeller(app);
    const lines = Array.from(
      { length: 60 },
      (_, n) => `2026/5/${1 + (n % 28)},ﾔﾏﾀﾞ${n % 7},,${100 + (n % 5)}`,
    );
    const text = statement(...lines);
    const begun = await Promise.all(
      Array.from({ length: 4 }, () => seller.post('/deposits/import', formWith(text))),
    );
    const done = await Promise.all(begun.map(({ body }) => endOfDeposits(seller, body.import.id)));
    const sum = (name: string) => done.reduce((all, one) => all + one[name], 0);
    assert.deepEqual([sum('created_count'), sum('duplicate_count')], [60, 180]);
    assert.equal((await seller.get('/deposits?limit=1')).body.total, 60);
  });
});

describe('reverting', () => {
  test('removes deposits without allocations and refunds, and says what it left', async () => {
    const seller = await newSeller(app);
    const done = await importedDeposits(
      seller,
      statement('2026/5/29,A,,11000', '2026/5/29,B,,200', '2026/5/29,C,,300', '2026/5/29,D,,400'),
    );
    const [paying, refunded, renamed] = await depositsOf(seller);
    const { id: invoice_id } = await seller.after('invoice', ['approve']);
    const paid = await seller.post(`/deposits/${paying.id}/allocations`, {
      allocations: [{ invoice_id, amount: 11_000 }],
    });
    assert.equal(paid.status, 201, paid.text);
    assert.equal((await seller.post(`/deposits/${refunded.id}/refunds`, { amount: 1 })).status, 201);
    assert.equal((await seller.patch(`/deposits/${renamed.id}`, { note: '確認済み' })).status, 200);
    const reply = await seller.post(`/deposits/imports/${done.id}/revert`);
    assert.equal(reply.status, 202, reply.text);
    const after = await endOfDeposits(seller, done.id);
    assert.deepEqual([after.status, after.revert.deleted_count, after.revert.left_count], ['reverted', 2, 2]);
    const left = [
      { code: 'has_allocations', count: 1 },
      { code: 'has_refunds', count: 1 },
    ];
    assert.deepEqual(after.revert.left, left);
    assert.deepEqual((await seller.get(`/jobs/${reply.body.job.id}`)).body.job.result.left, left);
    assert.deepEqual(
      (await depositsOf(seller)).map(({ id }) => id),
      [paying.id, refunded.id],
    );
  });
});
