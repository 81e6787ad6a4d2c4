import assert from 'node:assert/strict';
import { companyFields } from '../../shared/crm/imports/companies/fields.ts';
import { contactFields } from '../../shared/crm/imports/contacts/fields.ts';
import { dealFields } from '../../shared/crm/imports/deals/fields.ts';
import { mergeRows, type OpenRecords } from '../../shared/crm/imports/merge.ts';
import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { ImportRow } from '../../shared/platform/imports/domain.ts';
import { type ModelKind, type ModelOptions, takeOne, type Values } from './import-model.ts';
import { contentsOf, type ImportOrganization, newOrganization, type People } from './import-organization.ts';

export type Twins = {
  model: ModelKind;
  rows: readonly Values[];
  /** Rows in a chunk of the bulk merge. */
  chunk: number;
  options: ModelOptions;
  open: OpenRecords;
  /** What both organizations have before. */
  seed(organization: ImportOrganization): Promise<void>;
};

const fields = { company: companyFields, contact: contactFields, deal: dealFields };

/** Runs the rows through the bulk merge in one organization and through the API's operations in another. */
export async function assertAsOneByOne(database: Database, people: People, twins: Twins): Promise<void> {
  const bulk = await newOrganization(database, people);
  const single = await newOrganization(database, people);
  await twins.seed(bulk);
  await twins.seed(single);
  const expected = await oneByOne(single, twins);
  const merged = await inChunks(bulk, twins);
  assert.deepEqual(merged.counts, expected.counts, JSON.stringify(expected.faults));
  for (const [row, fault] of expected.faults) {
    assert.ok(
      merged.faults.get(row)?.includes(fault),
      `row ${row}: ${merged.faults.get(row)} lacks ${fault}`,
    );
  }
  const [is, should] = [await contentsOf(database, bulk), await contentsOf(database, single)];
  for (const table of Object.keys(should)) assert.deepEqual(is[table], should[table], table);
}

type Result = { counts: Record<string, number>; faults: Map<number, string[]> };

async function oneByOne(organization: ImportOrganization, { model, rows, options }: Twins) {
  const counts: Record<string, number> = {};
  const faults: [number, string][] = [];
  const seen = new Map<string, string | null>();
  for (const [row, values] of rows.entries()) {
    const result = await takeOne(organization, model, values, options, seen);
    const outcome = 'fault' in result ? 'error' : result.outcome;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if ('fault' in result) faults.push([row, result.fault]);
  }
  return { counts, faults };
}

async function inChunks(organization: ImportOrganization, twins: Twins): Promise<Result> {
  const { model, options, open, chunk } = twins;
  const import_id = newId('imp', new Date());
  const targets = new Map(fields[model.kind].map(({ name, target }) => [name, target]));
  const run = {
    import_id,
    on_conflict: options.on_conflict,
    match_by: options.match_by,
    dry_run: false,
    targets,
  };
  const rows = twins.rows.map((values, row): ImportRow => ({ row, cells: [], values, unmapped: null }));
  const result: Result = { counts: {}, faults: new Map() };
  for (let at = 0; at < rows.length; at += chunk) {
    const part = rows.slice(at, at + chunk);
    const { counts, faults } = await organization.act((work) => mergeRows(work, run, part, open));
    for (const [outcome, count] of Object.entries(counts)) {
      if (count > 0) result.counts[outcome] = (result.counts[outcome] ?? 0) + count;
    }
    for (const { row, column, code } of faults) {
      result.faults.set(row, [...(result.faults.get(row) ?? []), `${column} ${code}`]);
    }
  }
  return result;
}
