import assert from 'node:assert/strict';
import { newActor, type TestActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { median } from '../imports/measuring.ts';
import { startServer } from '../servers.ts';
import { formOfTwenty } from './twenty-fields.ts';

const SIZES = (process.env['BENCH_SIZES'] ?? '1000,1000000').split(',').map(Number);
const TIMES = Number(process.env['BENCH_TIMES'] ?? 100);

/** The same questions to both forms; MIDDLE stands for a response in the middle of its form. */
const questions = {
  'a page with its total': 'limit=50',
  'a page by cursor': 'limit=50&cursor_mode=true&starting_after=MIDDLE',
  'a page by cursor, with spam': 'limit=50&cursor_mode=true&is_spam=all&starting_after=MIDDLE',
  'by the last change': 'limit=50&cursor_mode=true&sort=updated_at:desc&starting_after=MIDDLE',
  'by an answer': 'limit=50&cursor_mode=true&field=field_0&value=repair',
};

/** Pages of the responses of a small form and of a large one, in turns. */
export async function lists(): Promise<string> {
  const { database, url, drop } = await freshDatabase({ statement_timeout: 1_800_000 });
  const forms: { actor: TestActor; form_id: string; middle: string }[] = [];
  for (const size of SIZES) {
    const actor = await newActor(database);
    const { form_id, ids } = await formOfTwenty({ database, url }, actor, size);
    forms.push({ actor, form_id, middle: ids[Math.floor(size / 2)]! });
  }
  const server = await startServer('ours', 'api/main.ts', {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  });
  try {
    const [small, large] = SIZES;
    const lines = [
      `| pages of responses | of ${small}, ms | of ${large}, ms | rate large/small (aim 1.0) |`,
      '|---|---|---|---|',
    ];
    for (const [name, query] of Object.entries(questions)) {
      const took: number[][] = forms.map(() => []);
      for (let time = -10; time < TIMES; time += 1) {
        for (const [index, { actor, form_id, middle }] of forms.entries()) {
          const began = performance.now();
          const reply = await fetch(
            `${server.base_url}/api/v1/forms/${form_id}/responses?${query.replace('MIDDLE', middle)}`,
            { headers: { Authorization: `Bearer ${actor.secret}` } },
          );
          const text = await reply.text();
          assert.equal(reply.status, 200, text);
          if (time >= 0) took[index]!.push(performance.now() - began);
        }
      }
      const [first, last] = took.map(median);
      lines.push(`| ${name} | ${first!.toFixed(1)} | ${last!.toFixed(1)} | ${(first! / last!).toFixed(2)} |`);
    }
    return lines.join('\n');
  } finally {
    await server.stop();
    await drop();
  }
}
