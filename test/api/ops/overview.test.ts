import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { livelyOperations } from '../../support/lively-operations.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

/** The clock stands still: what is shown is as fresh as it was made, however late it is looked at. */
const NOW = new Date();
const app = await startApp({ now: () => NOW, environment: WITH_OPERATORS });
const lively = await livelyOperations(app.database, NOW);

/** A page as people read it: what is escaped in it stands for itself. */
async function page(path: string): Promise<string> {
  return (await (await fetchAsOperator(app.base_url + path)).text()).replaceAll('&#61;', '=');
}

describe('the overview', () => {
  test('says first what wants somebody, and where to look on', async () => {
    const text = await page('/ops');
    assert.match(text, /<a href="\/ops\/jobs\?state=failed">3 jobs were given up<\/a>/);
    assert.match(text, /<a href="\/ops\/schedules">The schedule loose_files fails<\/a>/);
    assert.match(text, /<a href="\/ops\/mails">2 mails did not leave<\/a>/);
    assert.ok(!text.includes('All is well'));
  });

  test('shows workers, the database and the newest errors of every kind', async () => {
    const text = await page('/ops');
    assert.match(text, /workers-bulk <span class="quiet">office-1 4212/);
    assert.match(text, /PostgreSQL 18\.\d/);
    assert.ok(text.includes(`/ops/jobs/${lively.organization_id}/${lively.failed[0]}`));
    assert.match(text, /550 5\.1\.1/);
  });

  test('shows the jobs that are tried again, when and why', async () => {
    assert.match(
      await page('/ops'),
      /mailer\.send_mail<\/a>[\s\S]*>3<[\s\S]*in 3 min[\s\S]*451 4\.7\.1 Greylisted, try again later/,
    );
  });

  test('leaves with a process that died what nobody else has taken up or ended', async () => {
    const own = await startApp({ now: () => NOW, environment: WITH_OPERATORS });
    const { organization_id, running } = await livelyOperations(own.database, NOW);
    const change = (text: string, values: unknown[]) =>
      own.database.withConnection('*', ({ query }) => query(text, values));
    const silence = new Date(NOW.getTime() - 60_000).toISOString();
    await change("UPDATE worker_processes SET beat_at = $1 WHERE id = 'two'", [silence]);
    const panel = async () => {
      const text = await (await fetchAsOperator(`${own.base_url}/ops`)).text();
      return /Processes of workers[\s\S]*?<\/table>/.exec(text)?.[0] ?? '';
    };
    const job = `/ops/jobs/${organization_id}/${running}`;
    assert.match(await panel(), new RegExp(`Silent[\\s\\S]*${job}`));
    await change(
      "UPDATE worker_processes SET running = (SELECT running FROM worker_processes WHERE id = 'two') WHERE id = 'one'",
      [],
    );
    assert.equal((await panel()).split(job).length, 2, 'once, with the process that has it now');
    await change("UPDATE worker_processes SET running = '[]' WHERE id = 'one'", []);
    await change('DELETE FROM outbox WHERE id = $1', [running]);
    assert.ok(!(await panel()).includes(job));
  });

  test('says that no worker is alive once they have been silent', async () => {
    const late = await startApp({
      database: { url: app.database_url, database: app.database, drop: async () => {} },
      environment: WITH_OPERATORS,
      now: () => new Date(NOW.getTime() + 120_000),
    });
    const text = await (await fetchAsOperator(`${late.base_url}/ops`)).text();
    assert.match(text, /class="bad"><strong><a href="\/ops#workers">No worker is alive/);
    assert.match(text, /A worker has died: workers-bulk \(office-1 4212\)/);
    const queue = await (await fetchAsOperator(`${late.base_url}/ops/queues/email`)).text();
    assert.match(
      queue,
      /badge bad">No worker<[\s\S]*Its jobs wait until a process of workers takes this queue/,
    );
  });
});
