import type { Work } from '../../kernel/work.ts';
import { assertLocked } from '../../platform/imports/overtaken.ts';
import { type Company, CompanyModel, companyFacts, companyKind } from '../companies/record.ts';
import { columnsOfCompany, newCompany } from '../companies/shape.ts';
import { companyNameForm, companyNameKey } from '../names.ts';
import { aliasesIn } from './aliases.ts';
import { ambiguous, type Fault, type GoodRow, textsIn, unknown, type Values } from './row.ts';

/** A company as far as it is known by others. */
type Named = { id: string; name: string; name_kana: string | null; external_id: string | null };

export type CompanyReferences = {
  /**
   * The company that a row names, undefined when it names none. One to be made is made by calling what is answered,
   * once nothing else is wrong with the row. Faults: `unknown_reference`, `ambiguous`.
   */
  named(values: Values): string | (() => string) | Fault | undefined;
  /** All that the rows may refer to. */
  ids(): string[];
  made(): Company[];
  /** Collects the rows of those that were made since the last call. */
  write(): void;
};

const COLUMNS = ['company_external_id', 'company_name', 'company_id'];

/**
 * The companies that rows name by ID, external ID, or name (where the legal form may be abbreviated). An ID counts
 * where it is known: in the file of another organization the other columns do.
 */
export async function companiesIn(
  work: Work,
  rows: readonly GoodRow[],
  create_missing: boolean,
): Promise<CompanyReferences> {
  const named_ids = textsIn(rows, ...COLUMNS).length > 0 ? await findCompanies(work, rows) : [];
  // After the companies: one that is merged in between was found, and is missed when it is locked.
  const external_ids = textsIn(rows, 'company_external_id');
  const aliases = await aliasesIn(work, companyKind, { external_id: external_ids });
  const known = await holdCompanies(work, [...new Set([...named_ids, ...aliases.ids])]);
  const byId = new Map(known.map((company) => [company.id, company]));
  const byExternalId = new Map<string, string>();
  const byName = new Map<string, string[]>();
  const made: Company[] = [];
  const unwritten: Company[] = [];
  for (const company of known) remember(company);

  function remember({ id, name, external_id }: Named): void {
    if (external_id !== null) byExternalId.set(external_id, id);
    const form = companyNameForm(name);
    byName.set(form, [...(byName.get(form) ?? []), id]);
  }

  function make(name: string, external_id: string | undefined): string {
    const company = newCompany(work, { name, external_id }, {});
    work.record(companyFacts.created, { before: null, after: company });
    made.push(company);
    unwritten.push(company);
    byId.set(company.id, company);
    remember(company);
    return company.id;
  }

  return {
    named(values) {
      const { company_external_id, company_name, company_id } = values as Record<string, string | undefined>;
      if (company_id !== undefined && byId.has(company_id)) return company_id;
      if (company_external_id !== undefined) {
        const found =
          byExternalId.get(company_external_id) ?? aliases.find('external_id', company_external_id);
        if (found) return found;
        if (!create_missing || company_name === undefined) {
          return unknown('company_external_id', company_external_id);
        }
        return () => make(company_name, company_external_id);
      }
      if (company_name !== undefined) {
        const found = byName.get(companyNameForm(company_name)) ?? [];
        if (found.length > 1) return ambiguous('company_name', company_name);
        if (found[0]) return found[0];
        return create_missing ? () => make(company_name, undefined) : unknown('company_name', company_name);
      }
      return company_id === undefined ? undefined : unknown('company_id', company_id);
    },
    ids: () => [...byId.keys()],
    made: () => made,
    write: () => work.insertAll(CompanyModel, unwritten.splice(0).map(columnsOfCompany)),
  };
}

async function findCompanies(work: Work, rows: readonly GoodRow[]): Promise<string[]> {
  const name_keys = [...new Set(textsIn(rows, 'company_name').map(companyNameKey))];
  const found = await work.connection.query<{ id: string }>(
    `SELECT id FROM crm_companies WHERE organization_id = $1 AND external_id = ANY ($2)
     UNION SELECT id FROM crm_companies WHERE organization_id = $1 AND name_key = ANY ($3)
     UNION SELECT id FROM crm_companies WHERE organization_id = $1 AND id = ANY ($4)`,
    [work.organization_id, textsIn(rows, 'company_external_id'), name_keys, textsIn(rows, 'company_id')],
    { prepared: false },
  );
  return found.map(({ id }) => id);
}

/** Held as they are referred to: they may change, but not vanish, until the work commits. */
async function holdCompanies(work: Work, ids: readonly string[]): Promise<Named[]> {
  if (ids.length === 0) return [];
  const held = await work.connection.query<Named>(
    `SELECT id, name, name_kana, external_id FROM crm_companies
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE`,
    [work.organization_id, ids],
    { prepared: false },
  );
  assertLocked(ids, held);
  return held;
}
