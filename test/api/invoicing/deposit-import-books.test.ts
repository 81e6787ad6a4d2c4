import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newBookedSeller, sidesOf } from '../../support/booked-seller.ts';
import {
  depositCountsOf,
  depositsOf,
  endOfDeposits,
  depositFaultsOf as faultsOf,
  importedDeposits,
  MONTH_OF_STATEMENT as MONTH,
  statement,
} from '../../support/deposit-imports.ts';
import { toldBy } from '../../support/facts.ts';
import { startWorkers } from '../../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import,report-export',
]);

describe('the books', () => {
  test('have an entry of each deposit, as of one that is recorded, and lose it by a revert', async () => {
    const seller = await newBookedSeller(app, 'post');
    const done = await importedDeposits(seller, MONTH);
    assert.deepEqual(depositCountsOf(done), ['completed', 2, 1, 0, 0]);
    const called = await seller.make('/deposits', {
      amount: 23_000,
      received_on: '2026-05-29',
      payer_name: 'カ)ヤマダシヨウテン',
    });
    const [one] = await depositsOf(seller);
    const entries = [await seller.entriesOf(one.id), await seller.entriesOf(called.id)];
    assert.deepEqual(sidesOf(entries[0]![0]), sidesOf(entries[1]![0]));
    for (const [entry] of entries) {
      assert.deepEqual(
        [entry.status, entry.date, entry.description],
        ['posted', '2026-05-29', entries[1]![0].description],
      );
    }
    await seller.post(`/deposits/imports/${done.id}/revert`);
    assert.equal((await endOfDeposits(seller, done.id)).revert.deleted_count, 2);
    const [mirror, entry] = (await seller.entriesOf(one.id)).toSorted((first: Shown) =>
      first.reverses ? -1 : 1,
    );
    assert.deepEqual([entry.status, mirror.reverses], ['voided', entry.id]);
  });

  test('refuse lines of days that are closed by themselves, and the others come in', async () => {
    const seller = await newBookedSeller(app, 'post');
    const done = await importedDeposits(
      seller,
      statement('2019/5/29,A,,100', '2026/5/29,B,,200', '2019/5/30,C,,300'),
    );
    assert.deepEqual(depositCountsOf(done), ['completed', 1, 0, 0, 2]);
    assert.deepEqual(await faultsOf(seller, done), [
      [2, 'no_fiscal_year', '日付'],
      [4, 'no_fiscal_year', '日付'],
    ]);
    const deposits = await depositsOf(seller);
    assert.deepEqual(
      deposits.map(({ amount }) => amount),
      [200],
    );
    assert.equal((await seller.entriesOf(deposits[0].id)).length, 1);
  });

  test('are asked by a dry run too, which leaves nothing of it', async () => {
    const seller = await newBookedSeller(app, 'post');
    const text = statement('2019/5/29,A,,100', '2026/5/29,B,,200', '2019/5/30,C,,300');
    const told = await toldBy(app, seller.organization_id, async () => {
      const tried = await importedDeposits(seller, text, { dry_run: 'true' });
      assert.deepEqual(depositCountsOf(tried), ['completed', 1, 0, 0, 2]);
      assert.deepEqual(await faultsOf(seller, tried), [
        [2, 'no_fiscal_year', '日付'],
        [4, 'no_fiscal_year', '日付'],
      ]);
    });
    assert.deepEqual([...new Set(told.audit.map(({ entity_type }) => entity_type))].toSorted(), [
      'import',
      'job',
    ]);
    assert.deepEqual(await depositsOf(seller), []);
    assert.equal((await seller.get('/accounting/journals?limit=1')).body.total, 0);
    assert.deepEqual(depositCountsOf(await importedDeposits(seller, text)), ['completed', 1, 0, 0, 2]);
    const [{ id }] = await depositsOf(seller);
    assert.equal((await seller.entriesOf(id))[0].number, 1);
  });

  test('keep a lock that who asked may not pass', async () => {
    const seller = await newBookedSeller(app, 'post');
    const lock = { from: '2026-05-01', to: '2026-05-31', level: 'soft' };
    const locked = await seller.post('/accounting/period-locks', lock);
    assert.equal(locked.status, 201, locked.text);
    const clerk = await app.actor({
      organization_id: seller.organization_id,
      scopes: ['invoicing:read', 'invoicing:write'],
    });
    const theirs = await importedDeposits(clerk, statement('2026/5/29,A,,100'));
    assert.deepEqual(await faultsOf(seller, theirs), [[2, 'period_locked', '日付']]);
    const own = await importedDeposits(seller, statement('2026/5/29,A,,100'));
    assert.deepEqual(depositCountsOf(own), ['completed', 1, 0, 0, 0]);
  });
});
