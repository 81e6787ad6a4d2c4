import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, describe, test } from 'node:test';
import { domains, jobs } from '../../../shared/domains.ts';
import { openTransport } from '../../../shared/platform/mailer/open-transport.ts';
import { queueNames } from '../../../shared/platform/queues.ts';
import { diskStorage } from '../../../shared/platform/storage/disk.ts';
import { sweepsOf } from '../../../shared/platform/sweeps/sweeps.ts';
import { handlersOf } from '../../../workers/handlers.ts';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { livelyOperations } from '../../support/lively-operations.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';
import { has_redis, startRedis } from '../../support/redis.ts';

/** The clock stands still: what is shown is as fresh as it was made, however late it is looked at. */
const NOW = new Date();
const app = await startApp({ now: () => NOW, environment: WITH_OPERATORS });
const lively = await livelyOperations(app.database, NOW);
const gone = await freshDatabase();
await gone.drop();
/** Without its database. */
const away = await startApp({ database: gone, environment: WITH_OPERATORS });

/** A page as people read it: what is escaped in it stands for itself. */
async function page(path: string): Promise<string> {
  return (await (await fetchAsOperator(app.base_url + path)).text()).replaceAll('&#61;', '=');
}

const send = (path: string) =>
  fetchAsOperator(app.base_url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: app.base_url },
  });

function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return app.database.withConnection('*', (connection) => connection.query<Row>(text, values));
}

describe('a queue', () => {
  test('has jobs, each of them with what runs it, and an idle one says so', async () => {
    const { settings, storage } = app.context;
    const transport = await openTransport(settings);
    const handled = handlersOf(settings, { storage, transport }).map(({ job }) => job);
    assert.deepEqual(new Set(jobs), new Set(handled));
    const queuesWithoutJobs = queueNames.filter((queue) => handled.every((job) => job.queue !== queue));
    assert.deepEqual(queuesWithoutJobs, []);
    const text = await page('/ops');
    for (const queue of queueNames) assert.ok(text.includes(`/ops/queues/${queue}`), queue);
    assert.match(await page('/ops/queues/pdf-render'), /badge calm">Idle</);
  });

  test('is paused and let go on, and the overview says so', async () => {
    assert.equal((await send('/ops/queues/email/pause')).status, 303);
    assert.match(await page('/ops'), /The queue email is paused/);
    assert.match(await page('/ops/queues/email'), /Let email go on/);
    assert.equal((await send('/ops/queues/email/resume')).status, 303);
    assert.doesNotMatch(await page('/ops'), /is paused/);
  });

  test('shows its numbers, its last hour and who takes its jobs', async () => {
    const text = await page('/ops/queues/email');
    assert.match(text, /badge good">Moving</);
    assert.match(
      text,
      /href="\/ops\/jobs\?state=failed&#38;queue=email">Given up<\/a><\/dt><dd class="figure">2</,
    );
    assert.match(text, /Up to 8\d a minute/);
    assert.match(text, /workers <span class="quiet">office-1 4211/);
    assert.ok(!text.includes('4212'));
  });

  test('that there is not is not paused', async () => {
    assert.equal((await send('/ops/queues/nothing/pause')).status, 404);
  });
});

describe('the schedules', () => {
  test('have last and next run, duration and last error', async () => {
    const text = await page('/ops/schedules');
    assert.match(text, /loose_files[\s\S]*badge bad">Fails[\s\S]*30 s[\s\S]*in 4\d min[\s\S]*getaddrinfo/);
    assert.match(text, /job_files[\s\S]*1\.2 s/);
  });

  test('each say what they are for', async () => {
    const sweeps = sweepsOf(domains, { storage: diskStorage(tmpdir()), data_dir: tmpdir() });
    assert.deepEqual(
      sweeps
        .filter(({ description: { en, ja } }) => Math.min(en.length, ja.length) < 10)
        .map(({ name }) => name),
      [],
    );
    const { description } = sweeps.find(({ name }) => name === 'loose_files')!;
    assert.ok((await page('/ops/schedules')).includes(description.en));
  });

  test('are run at once where somebody does not want to wait', async () => {
    assert.match(await page('/ops/schedules'), /Run now<span class="unseen"> loose_files</);
    const reply = await send('/ops/schedules/loose_files/run');
    assert.match(
      await page(reply.headers.get('location') ?? ''),
      /loose_files runs as soon as a worker looks/,
    );
    const late = "started_at + every_milliseconds * interval '1 millisecond' <= now()";
    const due = await query<{ name: string }>(`SELECT name FROM sweeps WHERE ${late} AND name LIKE '%files'`);
    assert.deepEqual(due, [{ name: 'loose_files' }]);
    const unknown = await send('/ops/schedules/nothing/run');
    assert.equal(unknown.headers.get('location'), '/ops/schedules');
  });
});

describe('an import', () => {
  const path = `/ops/imports/${lively.organization_id}/${lively.import_id}`;

  test('shows its life: state, counts, speed, checkpoint and its delivery', async () => {
    const text = await page(path);
    assert.match(text, /68 %/);
    assert.match(text, /57,679 rows a second/);
    assert.match(text, /row 676,001, byte 41,330,212 of 61,204,118/);
    assert.ok(text.includes(`/ops/jobs/${lively.organization_id}/${lively.running}`));
  });

  test('tells which rows were wrong and why, and nothing that stands in them', async () => {
    const text = await page(path);
    assert.match(text, /invalid_email[\s\S]*147/);
    assert.match(text, /column_count[\s\S]*37/);
    assert.ok(!text.includes('花子の住所') && !text.includes('list.csv'));
  });

  test('says why its last try failed, as where its file is missing', async () => {
    const missing = 'The file is not in the store any more';
    const tell = (error: string | null) =>
      query('UPDATE outbox SET error = $1 WHERE id = $2', [error, lively.running]);
    await tell(missing);
    assert.match(await page('/ops/imports'), new RegExp(`last try: ${missing}`));
    await tell(null);
  });

  test('is found by state, and by organization', async () => {
    assert.match(await page('/ops/imports?status=paused'), /Imports: 1/);
    assert.match(await page(`/ops/imports?organization_id=${lively.organization_id}`), /Imports: 1/);
  });
});

describe('mails', () => {
  const form = (path: string, fields: string[][]) =>
    fetchAsOperator(app.base_url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: app.base_url },
      body: new URLSearchParams(fields),
    });

  test('that failed are sent again together, and what may have arrived only where it was chosen', async () => {
    const all = await (await form('/ops/mails/confirm', [['action', 'send_failed']])).text();
    assert.match(all, /<h1>Send this mail again\?<\/h1>[\s\S]*550 5\.1\.1/);
    assert.ok(!all.includes(lively.unknown_mail) && !all.includes('may have arrived'));
    const [failed] = await query<{ id: string }>("SELECT id FROM mails WHERE status = 'failed'");
    const [waiting] = await query<{ id: string }>("SELECT id FROM mails WHERE status = 'queued'");
    const chosen = [failed?.id, lively.unknown_mail, waiting?.id].map((id) => ['chosen', id ?? '']);
    const both = await (await form('/ops/mails/confirm', chosen)).text();
    assert.match(both, /<h1>Send 2 mails again\?<\/h1>[\s\S]*1 of them may have arrived:[\s\S]*twice/);
    const ids = /name="chosen" value="([^"]*)"/.exec(both)?.[1] ?? '';
    assert.deepEqual(ids.split(' ').sort(), [failed?.id, lively.unknown_mail].sort());
    const reply = await form('/ops/mails/send-again', [['chosen', `${failed?.id} ${waiting?.id}`]]);
    assert.equal(reply.headers.get('location'), '/ops/mails?done=again&count=1');
    assert.match(await page('/ops/mails?done=again&count=1'), /role="status"[^>]*>The mail is sent again/);
    const jobs = await query("SELECT id FROM outbox WHERE payload ->> 'mail_id' = $1", [failed?.id]);
    assert.equal(jobs.length, 1);
    const log = await query('SELECT actor_id, changes FROM audit_logs WHERE entity_id = $1', [failed?.id]);
    assert.deepEqual(log, [{ actor_id: 'operator', changes: { status: ['failed', 'queued'] } }]);
    const none = await form('/ops/mails/confirm', [['chosen', failed?.id ?? '']]);
    assert.equal(none.headers.get('location'), '/ops/mails?done=none');
  });
});

describe('a mail', () => {
  test('of which nobody knows is sent again only when somebody says so', async () => {
    const [mail] = await query<{ organization_id: string }>(
      'SELECT organization_id FROM mails WHERE id = $1',
      [lively.unknown_mail],
    );
    const path = `/ops/mails/${mail?.organization_id}/${lively.unknown_mail}`;
    assert.match(await page(path), /It may have arrived, so it is not sent again by itself/);
    const before = await query("SELECT id FROM outbox WHERE name = 'mailer.send_mail'");
    assert.equal((await send(`${path}/send-again`)).status, 303);
    const [row] = await query('SELECT status, error FROM mails WHERE id = $1', [lively.unknown_mail]);
    assert.deepEqual(row, { status: 'queued', error: null });
    const jobs = await query<{ payload: { mail_id: string } }>(
      "SELECT payload FROM outbox WHERE payload ->> 'mail_id' = $1",
      [lively.unknown_mail],
    );
    assert.equal(jobs.length, 1);
    assert.ok(before.length > 0);
    const log = await query('SELECT actor_id, changes FROM audit_logs WHERE entity_id = $1', [
      lively.unknown_mail,
    ]);
    assert.deepEqual(log, [{ actor_id: 'operator', changes: { status: ['unknown', 'queued'] } }]);
    assert.equal((await send(`${path}/send-again`)).status, 404);
  });
});

describe('the board', () => {
  test('takes no change, and hands out no file but its own', async () => {
    const headers = { Origin: app.base_url };
    for (const path of ['queues/pause', 'queues/email/pause', 'queues/email/retry/failed'])
      assert.equal(
        (await fetchAsOperator(`${app.base_url}/ops/board/api/${path}`, { method: 'PUT', headers })).status,
        404,
      );
    assert.equal((await fetchAsOperator(`${app.base_url}/ops/board/static/..%2findex.ejs`)).status, 404);
  });
});

describe('where Redis is away', () => {
  test('every page but the board is there, and both say what is the matter', async () => {
    const alone = await startApp({
      database: { url: app.database_url, database: app.database, drop: async () => {} },
      environment: { ...WITH_OPERATORS, REDIS_URL: 'redis://127.0.0.1:1' },
    });
    const overview = await fetchAsOperator(`${alone.base_url}/ops`);
    assert.equal(overview.status, 200);
    assert.match(await overview.text(), /The queues cannot be reached/);
    const board = await fetchAsOperator(`${alone.base_url}/ops/board`);
    assert.equal(board.status, 503);
    assert.match(await board.text(), /Redis does not answer/);
    assert.equal((await fetchAsOperator(`${alone.base_url}/ops/board/api/queues`)).status, 503);
  });
});

describe('where Redis is full', { skip: has_redis ? false : 'redis-server is not on the PATH' }, () => {
  test('the overview says what Redis refuses, and that its queues do not move', async () => {
    const redis = await startRedis();
    after(() => redis.stop());
    const full = await startApp({ environment: { ...WITH_OPERATORS, REDIS_URL: redis.url }, now: () => NOW });
    await livelyOperations(full.database, NOW);
    const overview = async () => (await fetchAsOperator(`${full.base_url}/ops`)).text();
    assert.doesNotMatch(await overview(), /Redis refuses/);
    await redis.fill();
    const text = await overview();
    assert.match(text, /class="bad"><strong><a[^>]*>Redis refuses what the queues write<\/a>/);
    assert.match(text, /OOM command not allowed when used memory/);
    assert.match(text, /badge bad">Stuck</);
    assert.doesNotMatch(text, /badge good">Moving</);
    const queue = await (await fetchAsOperator(`${full.base_url}/ops/queues/email`)).text();
    assert.match(queue, /badge bad">Stuck</);
  });
});

describe('where the database is away', () => {
  const ask = (accept: string, method = 'GET') =>
    fetchAsOperator(`${away.base_url}/ops${method === 'POST' ? '/queues/email/pause' : ''}`, {
      method,
      headers: { Accept: accept, Origin: away.base_url },
    });

  test('people are told so in a page, with what to do, and nothing from within', async () => {
    const reply = await ask('text/html');
    assert.equal(reply.status, 503);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(reply.headers.get('retry-after'), '1');
    const text = await reply.text();
    assert.match(text, /<h1>The database does not answer<\/h1>/);
    assert.match(text, /This process has had no answer for (<[^>]*>)?\d+ (s|min)/);
    assert.match(text, /docs\/operations\.md[\s\S]*DatabaseNearLimit/);
    assert.doesNotMatch(text, /Idempotency|ECONN|127\.0\.0\.1|postgres:|test_|terminat/);
  });

  test('people who changed something are told to look before they do it again', async () => {
    const reply = await ask('text/html', 'POST');
    assert.equal(reply.status, 503);
    const text = await reply.text();
    assert.match(text, /look before you do it again/);
    assert.ok(!text.includes('live.js'));
  });

  test('programs get the problem', async () => {
    const reply = await ask('application/json');
    assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(((await reply.json()) as { code: string }).code, 'unavailable');
  });
});

describe('what is not there', () => {
  test('is told to people in a page, to programs as a problem', async () => {
    const url = `${app.base_url}/ops/queues/nothing`;
    const forPeople = await fetchAsOperator(url, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    assert.equal(forPeople.status, 404);
    assert.match(forPeople.headers.get('content-type') ?? '', /^text\/html/);
    const lost = await fetchAsOperator(`${app.base_url}/ops/none?lang=ja`, {
      headers: { Accept: 'text/html' },
    });
    assert.match(await lost.text(), /ページが見つかりません/);
    const forPrograms = await fetchAsOperator(url, { headers: { Accept: '*/*' } });
    assert.match(forPrograms.headers.get('content-type') ?? '', /^application\/problem\+json/);
    for (const path of ['/OPS', '/ops/Jobs', '/ops/Style.css', '/ops/Board'])
      assert.equal((await fetchAsOperator(app.base_url + path)).status, 404, path);
  });
});
