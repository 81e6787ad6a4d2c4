import assert from 'node:assert/strict';
import { startApp } from '../../support/app.ts';
import { seedContacts } from '../../support/many-contacts.ts';
import { seedSignings } from '../../support/many-signings.ts';
import { filled } from '../../support/plans.ts';
import { median } from '../imports/measuring.ts';
import { startServer } from '../servers.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const TIMES = Number(process.env['BENCH_TIMES'] ?? 100);

/** The same questions to both lists. */
const questions = {
  'a page with its total': 'limit=50',
  'a page by cursor': 'limit=50&cursor_mode=true',
  'a rare word': `limit=50&cursor_mode=true&search=${encodeURIComponent('勅使河')}`,
  'by the last change': 'limit=50&cursor_mode=true&sort=updated_at:desc',
};

/** Lists of documents beside those of as many contacts, in turns. */
export async function lists(): Promise<string> {
  const app = await startApp();
  const { actor } = await app.actor();
  await filled(app.database_url, async () => {
    await seedSignings(app.database, actor, { count: ROWS });
    await seedContacts(app.database, actor, ROWS);
  });
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: app.database_url,
    DATA_DIR: app.context.settings.dataDir,
    AUTH_SECRET: 'a secret of the tests, long enough',
  });
  const headers = { Authorization: `Bearer ${actor.secret}` };
  const lines = [
    `| lists of ${ROWS} | documents, ms | contacts, ms | rate documents/contacts (aim 1.0) |`,
    '|---|---|---|---|',
  ];
  for (const [name, query] of Object.entries(questions)) {
    const took: [number[], number[]] = [[], []];
    for (let time = -10; time < TIMES; time += 1) {
      for (const [index, path] of ['sign/documents', 'crm/contacts'].entries()) {
        const began = performance.now();
        const reply = await fetch(`${server.base_url}/api/v1/${path}?${query}`, { headers });
        const text = await reply.text();
        assert.equal(reply.status, 200, text);
        if (time >= 0) took[index]!.push(performance.now() - began);
      }
    }
    const ratio = median(took[1]) / median(took[0]);
    const shown = took.map((each) => median(each).toFixed(1));
    lines.push(`| ${name} | ${shown.join(' | ')} | ${ratio.toFixed(2)} |`);
  }
  await server.stop();
  return lines.join('\n');
}
