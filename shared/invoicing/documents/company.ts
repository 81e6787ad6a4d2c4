import type { PaymentTerms } from '../../crm/payment-terms.ts';
import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import { oneOf } from '../../db/one-of.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { CompanySnapshot } from './fields.ts';
import type { DocumentRecord } from './record.ts';

/** What a document takes from the company that it is made out to. */
export type DocumentCompany = CompanySnapshot & {
  honorific: DocumentRecord['honorific'];
  payment_terms: PaymentTerms | null;
  customer_since: string | null;
};

const COLUMNS = `name, postal_code, prefecture, city, address_line, building, invoice_registration_number,
    honorific, payment_terms, customer_since`;

const FIND = `SELECT id, ${COLUMNS} FROM crm_companies WHERE organization_id = $1 AND id = ${oneOf('$2')}`;

const lookUp = loadOncePerTurn(async ({ connection, organization_id }, ids) => {
  const rows = await connection.query<DocumentCompany & { id: string }>(FIND, [organization_id, ids], {
    alone: true,
  });
  return new Map(rows.map(({ id, ...company }) => [id, company]));
});

/** The company of a document. Errors: `unknown_reference` at /company_id. */
export async function documentCompany(reader: Reader, company_id: string): Promise<DocumentCompany> {
  const company = await lookUp(reader, company_id);
  if (!company) throw unknownReference('/company_id', company_id);
  return company;
}

/** The companies of many documents, by ID; those that are not there are left out. */
export async function documentCompanies(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<Map<string, DocumentCompany>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.query<DocumentCompany & { id: string }>(FIND, [
    organization_id,
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ id, ...company }) => [id, company]));
}

/** The company as it is kept from the day of issue. */
export function snapshotOf(company: DocumentCompany): CompanySnapshot {
  const { honorific, payment_terms, customer_since, ...snapshot } = company;
  return snapshot;
}
