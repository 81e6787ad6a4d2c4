import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { revertImport } from '../../../../shared/platform/imports/operations.ts';
import { LIMITS } from '../../../../shared/platform/imports/reading/row.ts';
import { reasons } from '../../../../shared/platform/operators/reasons.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf, mailImport } from '../../../support/imports.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('a file beyond the most rows fails with its code, keeps what came in before, and can be undone', async (context) => {
  const actor = await newActor(database.database);
  const imports = importsOf({ database, actor, storage: diskStorage(folder) });
  const limits: { rows: number } = LIMITS;
  const { rows } = limits;
  limits.rows = 25;
  context.after(() => {
    limits.rows = rows;
  });
  const contacts = async () => {
    const [row] = await imports.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM mail_contacts WHERE organization_id = $1',
      [imports.organization_id],
    );
    return row!.count;
  };
  const fileOf = (count: number) =>
    `email\n${Array.from({ length: count }, (_, at) => `p${at}@x.jp\n`).join('')}`;
  const pace = { size: () => 10, rest: async () => undefined };

  const long = await imports.create(fileOf(26));
  await imports.run(long, { pace });
  const { status, error, created_count } = await imports.read(long.id);
  assert.deepEqual([status, created_count, await contacts()], ['failed', 20, 20]);
  assert.deepEqual(error, { code: 'too_many_rows', message: reasons.too_many_rows(25).en });
  const { row: reverting } = await imports.act((work) => revertImport(work, mailImport, long.id));
  await imports.revert(reverting);
  assert.equal(await contacts(), 0);

  const longest = await imports.create(fileOf(25));
  await imports.run(longest, { pace });
  assert.equal((await imports.read(longest.id)).status, 'completed');
});
