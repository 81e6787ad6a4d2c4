import { fullName } from '../../kernel/full-name.ts';
import type { Reader } from '../../kernel/reader.ts';
import { documentCompany, snapshotOf } from '../documents/company.ts';
import { contextOf } from '../documents/context.ts';
import { registrationNumber } from '../documents/issuer.ts';
import type { DocumentRecord } from '../documents/record.ts';
import type { SettingsInForce } from '../settings/queries.ts';
import type { Print } from './model.ts';
import { type PrintExtras, type PrintedDocument, printOf } from './print-of.ts';

/** What the page of a document shows of other records. */
export type Surroundings = Pick<PrintExtras, 'company' | 'person' | 'invoice'>;

/**
 * What the page of a document shows: of an issued one with the company as it was kept on issue, of a draft with the
 * company as it is and the mark of drafts.
 */
export async function printFor(
  reader: Reader,
  record: DocumentRecord,
  { is_draft }: { is_draft: boolean },
): Promise<Print> {
  const [{ settings }, surroundings] = await Promise.all([contextOf(reader), surroundingsOf(reader, record)]);
  const issuer_registration_number = registrationNumber(record, settings);
  return printOf(printed({ ...record, issuer_registration_number }), settings, { is_draft, ...surroundings });
}

/** What the page of an issued document shows, from what was read before. */
export function issuedPrint(
  record: DocumentRecord,
  settings: SettingsInForce,
  surroundings: Surroundings,
): Print {
  return printOf(printed(record), settings, { is_draft: false, ...surroundings });
}

/** The other records that the page of a document shows, in one trip. */
export async function surroundingsOf(reader: Reader, record: DocumentRecord): Promise<Surroundings> {
  const [company, person, invoice] = await Promise.all([
    record.company_snapshot ?? documentCompany(reader, record.company_id).then(snapshotOf),
    personOf(reader, record.contact_id),
    invoiceOf(reader, record.invoice_id),
  ]);
  return { company, person, invoice };
}

function printed(record: DocumentRecord): PrintedDocument {
  const { transaction_from, transaction_to, lines } = record;
  const { subtotal, tax, total, withholding_tax, amount_due, tax_breakdown } = record;
  return {
    ...record,
    transaction_period:
      transaction_from !== null && transaction_to !== null
        ? { from: transaction_from, to: transaction_to }
        : null,
    show_prices: record.show_prices ?? true,
    line_items: lines,
    totals: { subtotal, tax, total, withholding_tax, amount_due, tax_breakdown },
  };
}

type Person = { first_name: string | null; last_name: string | null; position: string | null };

async function personOf(reader: Reader, contact_id: string | null): Promise<PrintExtras['person']> {
  if (contact_id === null) return null;
  const [person] = await reader.connection.query<Person>(
    'SELECT first_name, last_name, position FROM crm_contacts WHERE organization_id = $1 AND id = $2',
    [reader.organization_id, contact_id],
  );
  return person ? { name: fullName(person), position: person.position } : null;
}

async function invoiceOf(reader: Reader, invoice_id: string | null): Promise<PrintExtras['invoice']> {
  if (invoice_id === null) return null;
  const [invoice] = await reader.connection.query<{ number: string | null }>(
    'SELECT number FROM invoicing_documents WHERE organization_id = $1 AND id = $2',
    [reader.organization_id, invoice_id],
  );
  return invoice ?? null;
}
