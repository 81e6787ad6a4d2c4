import assert from 'node:assert/strict';
import { migrateDown, migrationStatus } from '../../shared/db/migrate.ts';

/** Takes migrations back until the one whose name begins so, it included, is not applied. */
export async function backTo(url: string, name: string): Promise<void> {
  const isApplied = async () =>
    (await migrationStatus(url)).some((one) => one.name.startsWith(name) && one.applied);
  assert.ok(await isApplied());
  while (await isApplied()) await migrateDown(url, { log: () => {} });
}
