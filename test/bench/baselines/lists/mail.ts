import { mailContactColumns, mailContactOf } from '../../../../shared/mail/contacts/queries.ts';
import { MailContactModel } from '../../../../shared/mail/contacts/record.ts';
import { emailKey } from '../../../../shared/mail/email-key.ts';
import { type Any, database } from '../bare-server.ts';
import { idsOf, type List, pageAndTotal, partsOf } from './page.ts';

/** Contacts for mail delivery with the lists that they are in and their contacts of the CRM. */
export const mailContacts: List = async (asked) => {
  const { organization_id } = asked;
  const query = MailContactModel.query().where({ organization_id });
  const [rows, total] = await pageAndTotal(query, mailContactColumns, asked);
  const keys = rows.map(({ email }) => emailKey(email));
  const [memberships, twins]: Any[] = await Promise.all([
    database('mail_list_members')
      .where({ organization_id })
      .whereIn('contact_id', idsOf(rows))
      .orderBy('list_id')
      .select('contact_id', 'list_id'),
    database('crm_contacts')
      .where({ organization_id })
      .whereIn('email_key', keys)
      .groupBy('email_key')
      .select('email_key')
      .min('id as id'),
  ]);
  const lists_of = partsOf(memberships, 'contact_id');
  const twin_of = new Map(twins.map(({ email_key, id }: Any) => [email_key, id]));
  const items = rows.map((row) => {
    const list_ids = lists_of(row.id).map(({ list_id }) => list_id);
    const crm_contact_id = (twin_of.get(emailKey(row.email)) as string | undefined) ?? null;
    return mailContactOf(row, { list_ids, crm_contact_id });
  });
  return { items, total };
};
