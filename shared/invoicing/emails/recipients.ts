import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { DocumentRecord } from '../documents/record.ts';
import type { DocumentEmailInput } from './input.ts';

export type Recipients = { to: string[]; cc: string[] };

/**
 * Whom a document is mailed to: who is named, else the document's contact, else its company. Nobody is named twice.
 * Errors: `no_recipient`.
 */
export async function recipientsOf(
  reader: Reader,
  { contact_id, company_id }: Pick<DocumentRecord, 'contact_id' | 'company_id'>,
  { to, cc = [] }: Pick<DocumentEmailInput, 'to' | 'cc'>,
): Promise<Recipients> {
  const seen = new Set<string>();
  const once = (addresses: readonly string[]) =>
    addresses.filter((address) => {
      const isNew = !seen.has(address.toLowerCase());
      seen.add(address.toLowerCase());
      return isNew;
    });
  const found = to ?? (await knownAddress(reader, contact_id, company_id));
  if (found.length === 0) {
    const message = to
      ? { en: 'to names nobody', ja: 'to に宛先がありません' }
      : {
          en: 'neither the contact nor the company has an e-mail address',
          ja: '担当者にも取引先にもメールアドレスが登録されていません',
        };
    throw new Failure('no_recipient', {
      detail: message,
      errors: [{ in: 'body', path: '/to', code: 'no_recipient', message }],
    });
  }
  return { to: once(found), cc: once(cc) };
}

const KNOWN = `SELECT COALESCE(contact.email, company.email) AS email
  FROM crm_companies AS company
  LEFT JOIN crm_contacts AS contact ON contact.organization_id = $1 AND contact.id = $2
 WHERE company.organization_id = $1 AND company.id = $3`;

async function knownAddress(
  { connection, organization_id }: Reader,
  contact_id: string | null,
  company_id: string,
): Promise<string[]> {
  const [known] = await connection.query<{ email: string | null }>(KNOWN, [
    organization_id,
    contact_id,
    company_id,
  ]);
  return known?.email ? [known.email] : [];
}
