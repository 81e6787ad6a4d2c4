import { crmImports } from '../../shared/crm/imports/domains.ts';
import type { ImportDomain } from '../../shared/imports/domain.ts';
import { mailContactImport } from '../../shared/mail/import/domain.ts';

/** Every kind of record that can be imported. */
export const importDomains: readonly ImportDomain[] = [
  mailContactImport as unknown as ImportDomain,
  ...crmImports,
];
