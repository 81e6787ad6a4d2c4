import type { ImportDomain } from '../../shared/imports/domain.ts';
import { mailContactImport } from '../../shared/mail/import/domain.ts';
import { MailImportOptions } from '../../shared/mail/import/options.ts';
import { MailImport, mailImportOf } from '../../shared/mail/import/record.ts';
import { importEndpoints } from '../imports/endpoints.ts';

export const mailImports = importEndpoints({
  area: 'mail',
  resource: MailImport,
  show: mailImportOf,
  kinds: [
    {
      domain: mailContactImport as unknown as ImportDomain,
      path: '/api/v1/mail/contacts',
      options: MailImportOptions,
    },
  ],
});
