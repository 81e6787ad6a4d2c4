import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { ended } from '../../support/exports.ts';
import { bankAccount, newPayer, type Payer } from '../../support/received-payers.ts';
import { readTransferFile } from '../../support/transfer-files.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'pdf-render',
]);

const ours = {
  ...bankAccount,
  bank_code: '0005',
  branch_code: '110',
  type: 'savings',
  number: '7654321',
  holder: '青葉',
  holder_kana: 'アオバ（カ',
};

const day = '2099-12-25';

const line = (unit_price: string) => ({ line_items: [{ description: '用紙', quantity: '1', unit_price }] });

const ask = (payer: Payer, body: Record<string, unknown>) =>
  payer.post('/received-invoices/transfer-file', { date: day, ...body });

async function newTransferrer(): Promise<Payer> {
  const payer = await newPayer(app, 'off');
  const reply = await payer.patch('/invoice-settings', { bank_account: ours });
  assert.equal(reply.status, 200, reply.text);
  return payer;
}

describe('a transfer file', () => {
  test('has one transfer an account, of what is left, and marks nothing as paid', async () => {
    const payer = await newTransferrer();
    const first = await payer.approved({ bank_account: bankAccount, number: '1', ...line('1000') });
    const other = await payer.approved({
      bank_account: { ...bankAccount, type: 'checking', number: '12-3', holder_kana: 'キタショーカイ' },
      number: '2',
      ...line('2000'),
    });
    const again = await payer.approved({ bank_account: bankAccount, number: '3', ...line('3000') });
    await payer.pay(again.id, { amount: 300 });
    const ids = [other.id, first.id, again.id, first.id];
    const asked = await ask(payer, { ids, client_code: '0000001234' });
    assert.equal(asked.status, 202, asked.text);
    assert.equal(asked.body.job.kind, 'received.invoices.transfer_file');
    const job = await ended(payer, asked.body.job.id);
    assert.equal(job.status, 'succeeded', JSON.stringify(job));
    const response = await fetch(`${app.base_url}/api/v1/jobs/${job.id}/file`, {
      headers: { Authorization: `Bearer ${payer.actor.secret}` },
    });
    assert.equal(response.status, 200);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.deepEqual(job.result, {
      records: 2,
      amount: 6_300,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const read = readTransferFile(bytes);
    assert.deepEqual(read.header, {
      client_code: '0000001234',
      holder: 'ｱｵﾊﾞ(ｶ',
      day: '1225',
      bank: '0005',
      branch: '110',
      type: '9',
      number: '7654321',
    });
    const bank = { bank: '0001', branch: '004' };
    assert.deepEqual(read.transfers, [
      { ...bank, type: '2', number: '0000123', holder: 'ｷﾀｼﾖ-ｶｲ', amount: 2_200 },
      { ...bank, type: '1', number: '1234567', holder: 'ｶ)ﾐﾅﾄﾌﾞﾝｸﾞ', amount: 4_100 },
    ]);
    assert.deepEqual([read.count, read.sum], [2, 6_300]);
    const { status, transfer_date } = await payer.read('invoice', first.id);
    assert.deepEqual([status, transfer_date], ['approved', day]);
    const kept = await app.database.withConnection(payer.organization_id, ({ query }) =>
      query('SELECT FROM received_transfer_files WHERE organization_id = $1', [payer.organization_id]),
    );
    assert.equal(kept.length, 0);
  });
});

describe('an invoice in a transfer file', () => {
  test('is in none again, unless it is wanted, until it is paid or reopened', async () => {
    const payer = await newTransferrer();
    const { id } = await payer.approved({ bank_account: bankAccount });
    const send = { ids: [id], from: { ...ours, bank: 'みずほ銀行' } };
    assert.equal((await ask(payer, send)).status, 202);
    const twice = await ask(payer, send);
    assert.deepEqual([twice.status, twice.body.code, twice.body.ids], [409, 'in_transfer_file', [id]]);
    const wanted = await ask(payer, { ...send, again: true, date: '2099-12-28' });
    assert.equal(wanted.status, 202, wanted.text);
    assert.equal((await payer.read('invoice', id)).transfer_date, '2099-12-28');
    await payer.pay(id, { amount: 1 });
    assert.equal((await payer.read('invoice', id)).transfer_date, null);
    assert.equal((await ask(payer, send)).status, 202);
    const other = await payer.approved({ bank_account: bankAccount, number: '2' });
    await ask(payer, { ids: [other.id] });
    await payer.act('invoice', other.id, 'reopen');
    assert.equal((await payer.read('invoice', other.id)).transfer_date, null);
  });

  test('goes into one of fifty files that are asked for at a time', async () => {
    const payer = await newTransferrer();
    const { id } = await payer.approved({ bank_account: bankAccount });
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask(payer, { ids: [id] })));
    const statuses = replies.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 202).length, 1, String(statuses));
    assert.ok(statuses.every((status) => [202, 409, 503].includes(status)));
  });
});

describe('a transfer file is refused', () => {
  test('for what is not approved, not owed, or not there', async () => {
    const payer = await newTransferrer();
    const pending = await payer.register('invoice', { bank_account: bankAccount, number: '1' });
    const paid = await payer.approved({ bank_account: bankAccount, number: '2' });
    await payer.pay(paid.id);
    const below = await payer.approved({ bank_account: bankAccount, number: '3', ...line('-1') });
    for (const id of [pending.id, paid.id, below.id]) {
      const reply = await ask(payer, { ids: [id] });
      assert.deepEqual([reply.status, reply.body.code, reply.body.id], [409, 'invalid_transition', id]);
    }
    const stranger = await newTransferrer();
    const foreign = await stranger.approved({ bank_account: bankAccount });
    const reply = await ask(payer, { ids: [foreign.id] });
    assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference'], reply.text);
    assert.equal(reply.body.errors[0].path, '/ids/0');
  });

  test('for accounts that banks do not take, each at its place, and changes nothing', async () => {
    const payer = await newPayer(app, 'off');
    const good = await payer.approved({ bank_account: bankAccount, number: '1' });
    const none = await payer.approved({ number: '2' });
    const odd = await payer.approved({
      bank_account: { ...bankAccount, holder_kana: '港文具' },
      number: '3',
    });
    const unset = await ask(payer, { ids: [good.id] });
    assert.deepEqual([unset.status, unset.body.errors[0].path], [422, '/from'], unset.text);
    const from = { ...ours, holder_kana: null };
    assert.equal((await ask(payer, { ids: [good.id], from })).body.errors[0].code, 'required');
    const reply = await ask(payer, { ids: [good.id, none.id, odd.id], from: ours });
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(
      reply.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['/ids/1', 'required'],
        ['/ids/2', 'invalid_format'],
      ],
    );
    assert.equal((await payer.read('invoice', good.id)).transfer_date, null);
    const table: [body: Record<string, unknown>, path: string][] = [
      [{ ids: [] }, '/ids'],
      [{ ids: Array.from({ length: 1_001 }, () => good.id) }, '/ids'],
      [{ ids: [good.id], date: '2026-11-01' }, '/date'],
      [{ ids: [good.id], client_code: '123' }, '/client_code'],
    ];
    for (const [body, path] of table) {
      const refused = await ask(payer, { from: ours, ...body });
      assert.deepEqual([refused.status, refused.body.errors[0].path], [422, path], refused.text);
    }
  });
});
