import type { Work } from '../../kernel/work.ts';
import { tagsOf } from '../tags/queries.ts';
import { type CompanyRow, companyColumns, companyOf } from './queries.ts';
import { companyFacts } from './record.ts';

/** Removes the values of a custom field whose definition goes; each company that had one changes. */
export async function dropCompanyField(work: Work, key: string): Promise<void> {
  const rows = await work.connection.query<CompanyRow>(
    `SELECT ${companyColumns.join(', ')} FROM crm_companies
      WHERE organization_id = $1 AND custom_fields ? $2 ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, key],
  );
  const tags = await tagsOf(
    work,
    'company',
    rows.map(({ id }) => id),
  );
  work.run(
    `UPDATE crm_companies SET custom_fields = custom_fields - $2,
            updated_at = greatest($3, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND custom_fields ? $2`,
    [work.organization_id, key, work.now],
  );
  for (const row of rows) {
    const before = companyOf(row, tags(row.id));
    const { [key]: _, ...custom_fields } = before.custom_fields;
    const after = { ...before, custom_fields, updated_at: work.touch(before) };
    work.record(companyFacts.updated, { before, after });
  }
}
