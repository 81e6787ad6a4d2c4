import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApp } from './app.ts';

/** The paths of all files in the app's store, finished or not, in order. */
export function storedFiles({ context }: TestApp): string[] {
  const folder = join(context.settings.dataDir, 'files');
  if (!existsSync(folder)) return [];
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** The keys of files that no record names. */
export async function looseFiles({ database }: TestApp): Promise<string[]> {
  const rows = await database.withConnection('*', ({ query }) =>
    query<{ storage_key: string }>('SELECT storage_key FROM loose_files ORDER BY 1'),
  );
  return rows.map(({ storage_key }) => storage_key);
}
