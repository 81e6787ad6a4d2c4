import { unknownReference } from '../../kernel/failure.ts';
import type { ImportDomain } from '../../platform/imports/domain.ts';
import { refuseFutureConsent } from '../contacts/consent.ts';
import { mailContactExport } from '../exports/contacts.ts';
import { mailContactFields } from './fields.ts';
import { mailSession } from './merge.ts';
import { MailImportOptions } from './options.ts';
import { revertMailImport } from './revert.ts';

/** The column of all attributes is one of them, also where a mapping leaves it out. */
const exportedColumns = [
  ...mailContactExport.columns.map(({ name }) => name),
  ...Object.values(mailContactExport.japanese),
  'attributes',
];

/** Mail contacts, matched by their e-mail. */
export const mailContactImport: ImportDomain<MailImportOptions> = {
  kind: 'mail.contacts',
  title: { en: 'Mail contacts', ja: 'メールの連絡先' },
  prefix: 'mimp',
  domain: 'mail',
  scope: 'mail:write',
  options: MailImportOptions,
  async check(reader, options) {
    const { list_id, consent } = options;
    refuseFutureConsent(consent, reader.now);
    if (list_id === undefined) return options;
    const text = 'SELECT FROM mail_lists WHERE organization_id = $1 AND id = $2';
    const rows = await reader.connection.query(text, [reader.organization_id, list_id]);
    if (rows.length === 0) throw unknownReference('/list_id', list_id);
    return options;
  },
  fields: async () => mailContactFields,
  exported: { prefix: 'mcont', columns: exportedColumns },
  open: mailSession,
  revert: revertMailImport,
};
