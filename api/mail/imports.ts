import { mailContactImport } from '../../shared/mail/imports/domain.ts';
import { MailImportOptions } from '../../shared/mail/imports/options.ts';
import { MailImport, mailImportOf } from '../../shared/mail/imports/record.ts';
import { importEndpoints } from '../imports/endpoints.ts';

export const mailImports = importEndpoints({
  area: 'mail',
  resource: MailImport,
  show: mailImportOf,
  kinds: [
    {
      domain: mailContactImport,
      path: '/api/v1/mail/contacts',
      options: MailImportOptions,
    },
  ],
});
