import { cursorBatches } from '../../db/cursor.ts';
import type { Fact } from '../../kernel/fact.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { companyColumns, companyOf } from '../companies/queries.ts';
import { companyFacts } from '../companies/record.ts';
import { contactColumns, contactOf } from '../contacts/queries.ts';
import { contactFacts } from '../contacts/record.ts';
import { tagsOf } from '../tags/queries.ts';
import type { TagLabel } from '../tags/record.ts';
import type { CustomFieldValues } from './values.ts';

type Shown = { id: string; custom_fields: CustomFieldValues; updated_at: string };

/** What the removal of values needs to know of a kind of record. */
type Kind<Row extends { id: string }> = {
  name: 'company' | 'contact';
  table: string;
  columns: readonly string[];
  shown: (row: Row, tags: TagLabel[]) => Shown;
  updated: Fact;
};

/** Removes a field's values from the companies; each that had one changes. */
export function dropCompanyField(work: Work, key: string): Promise<void> {
  const kind = {
    name: 'company',
    table: 'crm_companies',
    columns: companyColumns,
    shown: companyOf,
  } as const;
  return drop(work, { ...kind, updated: companyFacts.updated }, key);
}

/** Removes a field's values from the contacts; each that had one changes. */
export function dropContactField(work: Work, key: string): Promise<void> {
  const kind = { name: 'contact', table: 'crm_contacts', columns: contactColumns, shown: contactOf } as const;
  return drop(work, { ...kind, updated: contactFacts.updated }, key);
}

async function drop<Row extends { id: string }>(work: Work, kind: Kind<Row>, key: string): Promise<void> {
  const batches = cursorBatches<Row>(
    work.connection,
    `SELECT ${kind.columns.join(', ')} FROM ${kind.table}
      WHERE organization_id = $1 AND custom_fields ? $2 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, key],
    FACTS_TOGETHER,
  );
  for await (const rows of batches) {
    await recordDropped(work, kind, rows, key);
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  work.run(
    `UPDATE ${kind.table} SET custom_fields = custom_fields - $2,
            updated_at = greatest($3, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND custom_fields ? $2`,
    [work.organization_id, key, work.now],
  );
}

async function recordDropped<Row extends { id: string }>(
  work: Work,
  kind: Kind<Row>,
  rows: readonly Row[],
  key: string,
): Promise<void> {
  const tags = await tagsOf(
    work,
    kind.name,
    rows.map(({ id }) => id),
  );
  for (const row of rows) {
    const before = kind.shown(row, tags(row.id));
    const { [key]: _, ...custom_fields } = before.custom_fields;
    const after = { ...before, custom_fields, updated_at: work.touch(before) };
    work.record(kind.updated, { before, after });
  }
}
