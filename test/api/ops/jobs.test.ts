import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { livelyOperations } from '../../support/lively-operations.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

/** The clock stands still: what is shown is as fresh as it was made, however late it is looked at. */
const NOW = new Date();
const app = await startApp({ now: () => NOW, environment: WITH_OPERATORS });
const lively = await livelyOperations(app.database, NOW);
const [first = '', second = '', third = ''] = lively.failed;

const page = async (path: string) => (await fetchAsOperator(app.base_url + path)).text();

function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return app.database.withConnection('*', (connection) => connection.query<Row>(text, values));
}

/** Sends a form as the browser does from these pages; answers the reply without going on. */
function send(path: string, fields: string[][], headers: Record<string, string> = {}): Promise<Response> {
  return fetchAsOperator(app.base_url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: app.base_url, ...headers },
    body: new URLSearchParams(fields),
  });
}

describe('the list', () => {
  test('shows what was given up, the latest first, and leads to each', async () => {
    const text = await page('/ops/jobs');
    const order = [second, first, third].map((id) => text.indexOf(id));
    assert.deepEqual(
      order,
      order.toSorted((left, right) => left - right),
    );
    assert.ok(order.every((place) => place > 0));
  });

  test('says where it is empty what would stand there, or that a filter finds nothing', async () => {
    const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();
    const [waiting] = await query<{ id: string }>('SELECT id FROM outbox WHERE due_at > $1', [at(0)]);
    const moved = 'UPDATE outbox SET due_at = $2 WHERE id = $1';
    await query(moved, [waiting?.id, at(-1)]);
    assert.match(await page('/ops/jobs?state=later'), /No job waits for a later try/);
    await query(moved, [waiting?.id, at(180)]);
    assert.match(await page('/ops/jobs?queue=pdf-render'), /found by the filter[\s\S]*Clear the filter/);
  });

  test('filters by queue, job, organization and reason', async () => {
    const found = async (filter: string) =>
      (await page(`/ops/jobs?${filter}`)).match(/name="chosen"/g)?.length ?? 0;
    assert.equal(await found('queue=email'), 2);
    assert.equal(await found('name=platform.export_list_2'), 1);
    assert.equal(await found(`organization_id=${lively.organization_id}`), 1);
    assert.equal(await found('error=ECONNREFUSED'), 2);
    assert.equal(await found('error=%25'), 0);
    assert.equal(await found('queue=nothing'), 0);
  });

  test('shows each job in one state alone', async () => {
    const total = async (state: string) =>
      /<h2[^>]*>[^<]*: (\d+)</.exec(await page(`/ops/jobs?state=${state}`))?.[1];
    assert.deepEqual(await Promise.all(['failed', 'running', 'due', 'later'].map(total)), [
      '3',
      '8',
      '14',
      '1',
    ]);
  });

  test('escapes what a filter says', async () => {
    const text = await page(`/ops/jobs?error=${encodeURIComponent('"><script>x</script>')}`);
    assert.ok(!text.includes('<script>x'));
  });
});

describe('one job', () => {
  test('has payload, reason, tries, times and organization', async () => {
    const text = await page(`/ops/jobs/${lively.organization_id}/${first}`);
    for (const part of [
      'mail_id',
      'ECONNREFUSED',
      '山田商事株式会社',
      lively.organization_id,
      'Begun by a worker',
    ])
      assert.ok(text.includes(part), part);
    const importing = await page(`/ops/jobs/${lively.organization_id}/${lively.running}`);
    assert.ok(importing.includes(`href="/ops/imports/${lively.organization_id}/${lively.import_id}"`));
  });

  test('of another organization is not there', async () => {
    const reply = await fetchAsOperator(`${app.base_url}/ops/jobs/org_other/${first}`);
    assert.equal(reply.status, 404);
  });
});

describe('retry and discard', () => {
  test('ask first, and change nothing until they are answered', async () => {
    const reply = await send('/ops/jobs/confirm', [
      ['action', 'retry'],
      ['chosen', first],
      ['chosen', second],
    ]);
    assert.equal(reply.status, 200);
    const text = await reply.text();
    assert.match(text, /<h1>Retry 2 jobs\?<\/h1>/);
    assert.match(text, /mailer\.send_mail[\s\S]*山田商事株式会社[\s\S]*ECONNREFUSED/);
    assert.equal((await query('SELECT id FROM outbox WHERE failed_at IS NOT NULL')).length, 3);
  });

  test('can be asked for all that a filter finds', async () => {
    const reply = await send('/ops/jobs/confirm', [
      ['action', 'discard_all'],
      ['queue', 'email'],
    ]);
    const text = await reply.text();
    assert.match(text, /Discard 2 jobs\?/);
    assert.ok(text.includes(first) && !text.includes(third));
  });

  test('without a choice lead back, and say so', async () => {
    const reply = await send('/ops/jobs/confirm', [['action', 'retry']]);
    assert.equal(reply.status, 303);
    assert.match(await page(reply.headers.get('location') ?? ''), /role="status"[^>]*>No job was chosen/);
  });

  test('a retried job is tried as at first, its job is queued again, and the log of the organization says who did it', async () => {
    const job_id = 'job_01kaj2n5w5fq8b4m0g3v7x9rtc';
    await query(
      `INSERT INTO jobs (organization_id, id, kind, scope, status, error, created_at, updated_at, finished_at)
       VALUES ($1, $2, 'crm.contacts.export', 'crm:read', 'failed', '{"code":"failed","message":"x"}', now(), now(), now())`,
      [lively.organization_id, job_id],
    );
    await query('UPDATE outbox SET job_id = $2 WHERE id = $1', [first, job_id]);
    const reply = await send('/ops/jobs/retry', [['chosen', first]]);
    assert.equal(reply.headers.get('location'), '/ops/jobs?state=failed&done=retried&count=1');
    const [delivery] = await query(
      'SELECT failed_at, attempts, starts, handed_over_at FROM outbox WHERE id = $1',
      [first],
    );
    assert.deepEqual(delivery, { failed_at: null, attempts: 0, starts: 0, handed_over_at: null });
    assert.deepEqual(await query('SELECT status, error FROM jobs WHERE id = $1', [job_id]), [
      { status: 'queued', error: null },
    ]);
    const log = await query(
      `SELECT organization_id, entity_type, action, actor_type, actor_id, changes FROM audit_logs
       WHERE entity_id = $1`,
      [first],
    );
    assert.deepEqual(log, [
      {
        organization_id: lively.organization_id,
        entity_type: 'delivery',
        action: 'update',
        actor_type: 'system',
        actor_id: 'operator',
        changes: { status: ['failed', 'queued'] },
      },
    ]);
  });

  test('retried twice it is counted once', async () => {
    const reply = await send('/ops/jobs/retry', [['chosen', first]]);
    assert.match(reply.headers.get('location') ?? '', /count=0$/);
  });

  test('a discarded job is gone, and the log keeps what it was', async () => {
    await send('/ops/jobs/discard', [['chosen', `${second} ${third}`]]);
    assert.deepEqual(await query('SELECT id FROM outbox WHERE id = ANY($1)', [[second, third]]), []);
    const log = await query(
      "SELECT entity_id FROM audit_logs WHERE action = 'delete' AND entity_type = 'delivery' ORDER BY entity_id",
    );
    assert.deepEqual(
      log,
      [second, third].toSorted().map((entity_id) => ({ entity_id })),
    );
  });

  test('are refused from another page', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const reply = await send('/ops/jobs/discard', [['chosen', first]], { Origin: origin });
      assert.equal(reply.status, 403, origin);
    }
  });

  test('what runs cannot be discarded', async () => {
    const reply = await send('/ops/jobs/discard', [['chosen', lively.running]]);
    assert.match(reply.headers.get('location') ?? '', /count=0$/);
    assert.equal((await query('SELECT id FROM outbox WHERE id = $1', [lively.running])).length, 1);
  });
});
