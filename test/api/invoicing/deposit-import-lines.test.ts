import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import {
  depositCountsOf,
  depositFaultsOf as faultsOf,
  importedDeposits,
  statement,
} from '../../support/deposit-imports.ts';
import { newSeller } from '../../support/documents.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

const runs: Record<string, string>[] = [{ dry_run: 'true' }, {}];

describe('a line of a statement', () => {
  test('never takes other money for a duplicate because of a key that is not its own', async () => {
    for (const options of runs) {
      const seller = await newSeller(app);
      const rows = ['7,2026-05-02,100,ﾔﾏﾀﾞ', '7,2026-05-02,100,ｽｽﾞｷ', '7,2026-05-03,100,ﾔﾏﾀﾞ'];
      const file = (header: string) => [`${header},入金日,入金額,振込依頼人名`, ...rows].join('\r\n');
      const keyed = await importedDeposits(seller, file('外部ID'), options);
      assert.deepEqual(depositCountsOf(keyed), ['completed', 1, 0, 0, 2]);
      assert.deepEqual(await faultsOf(seller, keyed), [
        [3, 'repeated_key', '外部ID'],
        [4, 'repeated_key', '外部ID'],
      ]);
      const { text } = await seller.get(`/deposits/imports/${keyed.id}/errors?lang=ja`);
      assert.match(text, /2行目に同じ外部IDで内容の違う入金があります/);
      const referred = await importedDeposits(await newSeller(app), file('管理番号'), options);
      assert.deepEqual(depositCountsOf(referred), ['completed', 3, 0, 0, 0]);
    }
  });

  test('knows a key from a chunk before, in a dry run too', async () => {
    const lines = Array.from({ length: 600 }, (_, n) => `K${n},2026-05-02,${100 + n}`);
    const text = ['外部ID,入金日,入金額', ...lines, 'K1,2026-05-02,101', 'K2,2026-05-02,999'].join('\r\n');
    for (const options of runs) {
      const done = await importedDeposits(await newSeller(app), text, options);
      assert.deepEqual(depositCountsOf(done), ['completed', 600, 0, 1, 1]);
    }
  });

  test('tells equal lines of two accounts, and of two halves of a day, apart by their balances', async () => {
    const seller = await newSeller(app);
    const file = (...lines: string[]) => ['日付,摘要,出金額,入金額,差引残高', ...lines].join('\r\n');
    const line = '2026/5/29,ﾔﾏﾀﾞ,,1000';
    const one = file(`${line},"5,000"`);
    assert.deepEqual(depositCountsOf(await importedDeposits(seller, one)), ['completed', 1, 0, 0, 0]);
    assert.deepEqual(depositCountsOf(await importedDeposits(seller, one)), ['completed', 0, 0, 1, 0]);
    const other = await importedDeposits(seller, file(`${line},▲9000`));
    assert.deepEqual(depositCountsOf(other), ['completed', 1, 0, 0, 0]);
    const both = await importedDeposits(seller, file(`${line},-9000`, `${line},5000`, `${line},6000`));
    assert.deepEqual(depositCountsOf(both), ['completed', 1, 0, 2, 0]);
    const without = await importedDeposits(seller, statement(line, line, line, line));
    assert.deepEqual(depositCountsOf(without), ['completed', 1, 0, 3, 0]);
    const odd = await importedDeposits(seller, file('2026/5/30,ﾔﾏﾀﾞ,,1000,***'));
    assert.deepEqual(depositCountsOf(odd), ['completed', 1, 0, 0, 0]);
  });

  test('reads the way of an amount from a word, and never guesses it from another', async () => {
    const seller = await newSeller(app);
    const file = (header: string, ...words: string[]) =>
      [`日付,${header},金額,摘要`, ...words.map((word, n) => `2026/5/29,${word},${n + 1},A`)].join('\r\n');
    for (const header of ['取引区分', '区分', '入出金区分']) {
      const words = await importedDeposits(seller, file(header, '入金', '出金', 'その他'), {
        dry_run: 'true',
      });
      assert.deepEqual(depositCountsOf(words), ['completed', 1, 1, 0, 1], header);
      assert.deepEqual(await faultsOf(seller, words), [[4, 'invalid_value', header]]);
    }
    const kinds = await importedDeposits(seller, file('取引区分', '振込', '11', '2'), { dry_run: 'true' });
    assert.deepEqual(depositCountsOf(kinds), ['completed', 3, 0, 0, 0]);
    const odd = await importedDeposits(seller, file('入払区分', 'CR', 'DR'), { dry_run: 'true' });
    assert.deepEqual(depositCountsOf(odd), ['completed', 0, 0, 0, 2]);
    const lines = [
      '日付,取引区分,出金額,入金額',
      '2026/5/29,振込,,100',
      '2026/5/29,入金,,200',
      '2026/5/29,出金,50,',
    ];
    const told = await importedDeposits(seller, lines.join('\r\n'), { dry_run: 'true' });
    assert.deepEqual(depositCountsOf(told), ['completed', 2, 1, 0, 0]);
  });

  test('shows before, and tries, what comes of a line that goes wrong', async () => {
    const seller = await newSeller(app);
    const lines = [
      '2026/5/29,A,,-100',
      '2026/5/29,B,5,5',
      '5月29日,C,440,',
      '2026/5/29,D,440,',
      '2026/5/29,E,,100',
    ];
    const shown = await seller.post('/deposits/import/preview', formWith(statement(...lines)));
    assert.deepEqual(
      shown.body.preview.warnings.map(({ row, code }: { row: number; code: string }) => [row, code]),
      [
        [2, 'faulty'],
        [3, 'faulty'],
        [4, 'faulty'],
        [5, 'money_out'],
      ],
    );
    for (const options of runs) {
      const done = await importedDeposits(seller, statement(...lines), options);
      assert.deepEqual(depositCountsOf(done), ['completed', 1, 1, 0, 3]);
    }
  });
});
