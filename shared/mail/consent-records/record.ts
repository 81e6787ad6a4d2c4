import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { email, id, timestamp } from '../../kernel/schema.ts';
import { MailConsent } from '../contacts/record.ts';

/** What was recorded of a consent, as the API shows it. It is never changed. */
export const ConsentRecord = z
  .strictObject({
    id: id('mcons'),
    object: z.literal('mail.consent_record'),
    contact_id: id('mcont').describe('The contact that it was recorded of, which may be erased.'),
    email: email(),
    consent: MailConsent.nullable().describe('null: from here on there is none.'),
    created_at: timestamp(),
  })
  .meta({ id: 'MailConsentRecord' });

export type ConsentRecord = z.output<typeof ConsentRecord>;

/** The table, which takes inserts only. */
export class ConsentRecordModel extends TenantModel {
  static override tableName = 'mail_consent_records';
  static override jsonAttributes = ['consent'];
}
