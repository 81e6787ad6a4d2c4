import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApi } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { clientOf } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { opened, ownSignature, several } from '../support/opened-signing.ts';
import { sealP12 } from '../support/seal-p12.ts';
import { assertNoOrphans, assertSealedOnce, untilSealed } from '../support/sealed-once.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();
app.context.settings.embeddedDatabase = true;

const DOCUMENTS = 10;

/** A signer who signs until that is answered with 200. */
type Signing = { id: string; sign: (base_url: string) => Promise<number>; is_done: boolean; cut: number };

/** The last of two signers, of whom the first has signed: what they do asks for the seal. */
async function lastSigner(): Promise<Signing> {
  const { document, guests } = await opened(app, several([1, 1]));
  const [first, last] = guests as [(typeof guests)[0], (typeof guests)[0]];
  assert.equal((await first.sign(await ownSignature(first))).status, 200);
  const body = { ...(await last.toSign()), values: await ownSignature(last) };
  const headers = { Cookie: last.cookie, 'Idempotency-Key': randomUUID() };
  const sign = async (base_url: string) => {
    const reply = await clientOf(base_url, {}).post(`/sign/s/${last.token}/sign`, body, headers);
    const isAgain = ['idempotency_key_in_use', 'unavailable'].includes(reply.body.code);
    assert.ok(reply.status === 200 || isAgain, reply.text);
    return reply.status;
  };
  return { id: document.id, sign, is_done: false, cut: 0 };
}

async function untilDone(signing: Signing, base_url: string): Promise<void> {
  while (!signing.is_done) {
    try {
      signing.is_done = (await signing.sign(base_url)) === 200;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      if ((error as { code?: string }).code !== 'ECONNREFUSED') signing.cut += 1;
    }
    if (!signing.is_done) await pause(50);
  }
}

test('documents whose last signers sign while the API is killed are signed and sealed once', async (context) => {
  const signings: Signing[] = [];
  for (let count = 0; count < DOCUMENTS; count += 1) signings.push(await lastSigner());
  const port = await freePort();
  const base_url = `http://127.0.0.1:${port}`;
  const { dataDir } = app.context.settings;
  const environment = { DATABASE_URL: app.database_url, DATA_DIR: dataDir, ...(await sealP12()) };
  const start = () => startApi(port, environment);
  let api = await start();
  const signed = Promise.all(signings.map((signing) => untilDone(signing, base_url)));
  await until('some are answered', () => signings.some(({ is_done }) => is_done));
  await api.kill();
  // However the others fell: one waits for its trail when this API is killed.
  const late = await lastSigner();
  signings.push(late);
  const { asking } = await whileHeld(app.database, 'sign_trail', async () => {
    const held = await start();
    const asking = untilDone(late, base_url);
    await somebodyWaits(app.database);
    await held.kill();
    return { asking };
  });
  api = await start();
  await Promise.all([signed, asking]);
  assert.ok(late.cut > 0);
  assert.equal(await api.stop(), 0);

  const workers = await startWorkers({ ...environment, BASE_URL: base_url }, ['--queues', 'pdf-render']);
  const ids = signings.map(({ id }) => id);
  await untilSealed(app, ids);
  assert.equal(await workers.stop(), 0);
  for (const id of ids) {
    await assertSealedOnce(app, id);
    const rows = await app.database.withConnection('*', ({ query }) =>
      query(`SELECT FROM sign_trail WHERE document_id = $1 AND type = 'signed'`, [id]),
    );
    assert.equal(rows.length, 2);
  }
  await assertNoOrphans(app);
  const cut = signings.filter((each) => each.cut > 0).length;
  context.diagnostic(`${ids.length} signed and sealed, ${cut} cut at least once`);
});
