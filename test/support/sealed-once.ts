import assert from 'node:assert/strict';
import { removeLooseFiles } from '../../shared/platform/storage/loose-files.ts';
import { type Chained, firstBadSeq } from '../../shared/sign/trail/chain.ts';
import type { TestApp } from './app.ts';
import { looseFiles, storedFiles } from './stored.ts';
import { until } from './until.ts';

/** What a document's trail says of its end, and the files that it has. */
export async function assertSealedOnce(app: TestApp, id: string): Promise<void> {
  const trail = await rowsOf<Chained>(
    app,
    'SELECT * FROM sign_trail WHERE document_id = $1 ORDER BY seq',
    id,
  );
  assert.equal(firstBadSeq(trail), null);
  const ends = trail
    .map(({ type }) => type)
    .filter((type) => ['completed', 'sealed', 'seal_failed'].includes(type));
  assert.deepEqual(ends, ['completed', 'sealed']);
  const files = await rowsOf<{ kind: string }>(
    app,
    'SELECT kind FROM sign_files WHERE document_id = $1 ORDER BY kind',
    id,
  );
  assert.deepEqual(
    files.map(({ kind }) => kind),
    ['original', 'signed'],
  );
  const events = await rowsOf(
    app,
    `SELECT FROM events WHERE type = 'sign.document.signed' AND data ->> 'id' = $1`,
    id,
  );
  assert.equal(events.length, 1);
}

/** Removes what no record names, a day later: every file of the store is then one that a document has. */
export async function assertNoOrphans(app: TestApp): Promise<void> {
  const tomorrow = new Date(Date.now() + 25 * 60 * 60_000);
  await removeLooseFiles(app.context, tomorrow, new AbortController().signal);
  assert.deepEqual(await looseFiles(app), []);
  const named = await rowsOf(app, 'SELECT FROM sign_files');
  assert.equal(storedFiles(app).length, named.length);
}

/** Waits until these documents are signed, and nobody has anything of them to render any more. */
export async function untilSealed(app: TestApp, ids: readonly string[]): Promise<void> {
  await until('all are sealed', async () => {
    const open = await rowsOf(
      app,
      `SELECT FROM sign_documents WHERE id = ANY ($1) AND status <> 'signed' LIMIT 1`,
      ids,
    );
    return open.length === 0;
  });
  await until('nothing is left to be rendered', async () => {
    return (await rowsOf(app, `SELECT FROM outbox WHERE queue = 'pdf-render' LIMIT 1`)).length === 0;
  });
}

function rowsOf<Row extends object>(
  { database }: TestApp,
  text: string,
  ...values: unknown[]
): Promise<Row[]> {
  return database.withConnection('*', ({ query }) => query<Row>(text, values));
}
