import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import type { Program } from '../support/program.ts';
import { ask, INSIDE, OUTSIDE, open, PATH, startProxy } from '../support/proxies.ts';
import { until } from '../support/until.ts';

const own = await freshDatabase();
after(() => own.drop());
const { secret, organization_id } = await newActor(own.database);
const folder = mkdtempSync(join(tmpdir(), 'proxies-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const Authorization = `Bearer ${secret}`;
const json = { Authorization, 'Content-Type': 'application/json' };
const contact = JSON.stringify({ first_name: '葵', last_name: '林' });

const environment = {
  DATABASE_URL: own.url,
  DATA_DIR: folder,
  RATE_LIMIT_PER_MINUTE: '0',
  BASE_URL: 'https://localhost',
  TRUSTED_PROXIES: '127.0.0.1',
};

const BOUNDARY = 'a-boundary-of-the-tests';
const form = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

/** A form with a list of some 5 MB, far beyond what nginx takes by itself. */
const list = (() => {
  const rows = Array.from(
    { length: 100_000 },
    (_, index) => `person-${index}@example.co.jp,${'名'.repeat(8)}`,
  );
  const head = 'Content-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv';
  return `--${BOUNDARY}\r\n${head}\r\n\r\nemail,姓\n${rows.join('\n')}\n\r\n--${BOUNDARY}--\r\n`;
})();

for (const name of ['nginx', 'caddy'] as const) {
  /** Debian's packages of these names have them; where one is not, its tests are skipped and say so. */
  const has = spawnSync(name, [name === 'nginx' ? '-v' : 'version'], { env: { PATH } }).status === 0;
  const skip = has ? false : `${name} is not on the PATH`;

  describe(`the sample for ${name}`, { skip }, async () => {
    // Of this suite, which ends them: what a test starts ends with the test.
    const ports = [await freePort(), await freePort()];
    const apis = skip ? [] : await Promise.all(ports.map((port) => startApi(port, environment)));
    const proxy = skip ? { name, port: 0 } : await startProxy(name, ports);

    test('passes an import of several megabytes, and a stream of events as it comes', async () => {
      const headers = { Authorization, ...form };
      const path = '/api/v1/mail/contacts/import';
      const taken = await ask(proxy, { path, method: 'POST', headers, body: list });
      assert.equal(taken.status, 202, taken.text);
      const { job } = JSON.parse(taken.text);
      // No worker runs: the job, and so the stream, does not end. What arrives was not kept back.
      const stream = await open(proxy, {
        path: `/api/v1/jobs/${job.id}/events`,
        headers: { Authorization },
      });
      assert.equal(stream.statusCode, 200);
      const [first] = await once(stream, 'data');
      assert.match(String(first), new RegExp(job.id));
      assert.equal(stream.complete, false);
      stream.destroy();
    });

    test('tells the address of the client, whatever the client says of it', async () => {
      const headers = { ...json, 'X-Forwarded-For': '203.0.113.9' };
      const made = await ask(proxy, {
        path: '/api/v1/crm/contacts',
        method: 'POST',
        headers,
        body: contact,
      });
      assert.equal(made.status, 201, made.text);
      const [logged] = await own.database.withConnection(organization_id, ({ query }) =>
        query('SELECT ip_address FROM audit_logs WHERE organization_id = $1 AND entity_id = $2', [
          organization_id,
          JSON.parse(made.text).contact.id,
        ]),
      );
      assert.equal(logged?.['ip_address'], OUTSIDE);
    });

    test('shows the numbers and the pages of operators inside alone', async () => {
      for (const path of [
        '/metrics',
        '/readyz',
        '/ops',
        '/ops/mailbox',
        '/metrics/',
        '//metrics',
        '/%6detrics',
      ]) {
        const { status, text } = await ask(proxy, { path });
        assert([403, 404].includes(status), `${path}: ${status}`);
        assert.doesNotMatch(text, /queue_depth|checks|OPERATOR_PASSWORD/, path);
      }
      const refusals = ['/metrics', '/readyz', '/ops'].map((path) => ask(proxy, { path, from: OUTSIDE }));
      for (const { text } of await Promise.all(refusals)) assert.doesNotMatch(text, /request_id/);
      const seen = await ask(proxy, { path: '/readyz', from: INSIDE });
      assert.match(seen.text, /^\{/);
    });

    test('answers every request while one API after the other is started again', async () => {
      const path = '/api/v1/crm/contacts';
      const contacts_before = await contacts();
      const answers: { method: string; status: number }[] = [];
      let going = true;
      const answer = async (asked: Parameters<typeof ask>[1]) => {
        const { status } = await ask(proxy, asked).catch(() => ({ status: 0 }));
        answers.push({ method: asked.method ?? 'GET', status });
        return status;
      };
      const reads = async () => {
        while (going) await answer({ path: `${path}?limit=1`, headers: { Authorization } });
      };
      const keys: string[] = [];
      const writes = async () => {
        while (going) {
          keys.push(randomUUID());
          const headers = { ...json, 'Idempotency-Key': keys.at(-1)! };
          // As a client does: a refusal is repeated under the same key.
          while ((await answer({ path, method: 'POST', headers, body: contact })) !== 201) await pause(20);
        }
      };
      const clients = [reads(), writes()];
      const more = async () => {
        const before = answers.length;
        await until('requests are answered', () => answers.length >= before + 10);
      };
      for (const [index, port] of ports.entries()) {
        await more();
        await apis[index]!.stop();
        apis[index] = await startApi(port, environment);
        await until('the proxy uses it again', () => usedBy(apis[index]!));
      }
      await more();
      going = false;
      await Promise.all(clients);
      const failed = answers.filter(({ status }) => status !== 200 && status !== 201);
      assert.deepEqual(
        failed.filter((answered) => !isLeftToClient(answered)),
        [],
      );
      assert.equal((await contacts()) - contacts_before, keys.length);
    });
  });
}

async function contacts(): Promise<number> {
  const [counted] = await own.database.withConnection(organization_id, ({ query }) =>
    query('SELECT count(*) FROM crm_contacts WHERE organization_id = $1', [organization_id]),
  );
  return Number(counted?.['count']);
}

/**
 * Whether a proxy cannot try a request again, and leaves that to the client, who knows its key. 502: no proxy sends a POST
 * twice, where its connection was reset by an API that had just stopped to listen; and Caddy before the release after
 * 2.11.1 loses the body of one whose first connection was refused. 503: such a Caddy knows of no API until its next looks
 * at /healthz are answered, and has a GET alone wait for that.
 */
function isLeftToClient({ method, status }: { method: string; status: number }): boolean {
  return method === 'POST' && (status === 502 || status === 503);
}

/** Whether the process has answered a request other than those that ask for its health. */
function usedBy({ lines }: Program): boolean {
  return lines.some(({ endpoint }) => endpoint === 'crm.contacts.list');
}
