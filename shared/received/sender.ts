import { type DocumentCompany, documentCompany } from '../invoicing/documents/company.ts';
import type { Reader } from '../kernel/reader.ts';

const senders = new WeakMap<Reader, Map<string, Promise<DocumentCompany>>>();

/** The company that sent a document, read once in a request or job. Errors: `unknown_reference` at /company_id. */
export function senderOf(reader: Reader, company_id: string): Promise<DocumentCompany> {
  const known = senders.get(reader) ?? new Map<string, Promise<DocumentCompany>>();
  senders.set(reader, known);
  const sender = known.get(company_id) ?? documentCompany(reader, company_id);
  sender.catch(() => undefined);
  known.set(company_id, sender);
  return sender;
}
