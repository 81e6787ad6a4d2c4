import { z } from 'zod';
import { email } from '../../shared/kernel/schema.ts';
import { consentRecordPage } from '../../shared/mail/consent-records/queries.ts';
import { ConsentRecord } from '../../shared/mail/consent-records/record.ts';
import { list } from '../http/list.ts';

export const consentRecords = [
  list({
    id: 'mail.consent_records.list',
    path: '/api/v1/mail/consent-records',
    scope: 'audit:read',
    domain_scope: 'mail:read',
    summary: 'List records of consent',
    description:
      'Each consent that was recorded of a contact, from wherever, and that it ended. They are never changed, and outlast their contact: until one month after the last mail to the address, three years where it advertised mail order.',
    item: ConsentRecord,
    limit: { default: 50, most: 200 },
    filters: z.object({
      email: email().describe('Records of this very address, also of an erased contact.').optional(),
    }),
    handle: ({ filters, window }, reader) => consentRecordPage(reader, filters, window),
  }),
];
