import type { PaymentTerms } from '../../crm/payment-terms.ts';
import { lookUpTogether } from '../../db/together.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { CompanySnapshot } from './fields.ts';
import { inOrder } from './order.ts';
import type { DocumentRecord } from './record.ts';

/** What a document takes from the company that it is made out to. */
export type DocumentCompany = CompanySnapshot & {
  honorific: DocumentRecord['honorific'];
  payment_terms: PaymentTerms | null;
  customer_since: string | null;
};

const FIND = `SELECT id, name, postal_code, prefecture, city, address_line, building, invoice_registration_number,
    honorific, payment_terms, customer_since
  FROM crm_companies WHERE organization_id = $1 AND id = ANY ($2)`;

const lookUp = lookUpTogether(async ({ connection, organization_id }, ids) => {
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

/** The company as it is kept from the day of issue. */
export function snapshotOf(company: DocumentCompany): CompanySnapshot {
  return inOrder('company_snapshot', company);
}
