import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { companyImport, contactImport, dealImport } from '../../shared/crm/imports/domains.ts';
import { createDefaultPipeline } from '../../shared/crm/pipelines/operations.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';
import { revertImport } from '../../shared/platform/imports/operations.ts';
import type { ImportRecord } from '../../shared/platform/imports/record.ts';
import { steadyPace } from '../../shared/platform/imports/run/pace.ts';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import { newActor } from './actors.ts';
import { freshDatabase } from './database.ts';
import { importsOf, type TestImports } from './imports.ts';

const domains = { companies: companyImport, contacts: contactImport, deals: dealImport } as unknown as Record<
  Kind,
  ImportDomain
>;

type Kind = 'companies' | 'contacts' | 'deals';

/** What tests do with imports of one organization. */
export type CrmImports = {
  organization_id: string;
  act: TestImports['act'];
  query: TestImports['query'];
  /** Imports the lines to the end; few rows in a chunk, so that there are several. */
  take(kind: Kind, lines: readonly string[], options?: Record<string, unknown>): Promise<ImportRecord>;
  undo(kind: Kind, row: ImportRecord): Promise<ImportRecord>;
  of(kind: Kind): TestImports;
};

/** A database and a store for imports; both end with the test file. */
export async function crmImportsPlace() {
  const database = await freshDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'crm-imports-'));
  after(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const storage = diskStorage(folder);

  /** A new organization with the usual pipeline. */
  async function newOrganization(): Promise<CrmImports> {
    const actor = await newActor(database.database);
    const of = (kind: Kind) => importsOf({ database, storage, actor, domain: domains[kind] });
    const { act, query } = of('contacts');
    await act(async (work) => createDefaultPipeline(work));
    return {
      organization_id: actor.organization_id,
      act,
      query,
      of,
      async take(kind, lines, options = {}) {
        const imports = of(kind);
        const row = await imports.create(lines.join('\r\n'), options);
        await imports.run(row, { pace: steadyPace(3) });
        return imports.read(row.id);
      },
      async undo(kind, { id }) {
        const imports = of(kind);
        const { row } = await imports.act((work) => revertImport(work, domains[kind], id));
        await imports.revert(row);
        return imports.read(id);
      },
    };
  }

  return { database: database.database, newOrganization };
}

/** The counts that are not 0, without `_count`. */
export function countsOf(row: ImportRecord): Record<string, number> {
  const counts = Object.entries(row).filter(([name, value]) => name.endsWith('_count') && value !== 0);
  return Object.fromEntries(
    counts.map(([name, value]) => [name.slice(0, -'_count'.length), value as number]),
  );
}
