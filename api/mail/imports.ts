import { mailContactImport } from '../../shared/mail/imports/domain.ts';
import { MailImportOptions } from '../../shared/mail/imports/options.ts';
import { MailImport, mailImportOf } from '../../shared/mail/imports/record.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';
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
