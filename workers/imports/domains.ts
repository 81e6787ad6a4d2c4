import { crmImports } from '../../shared/crm/imports/domains.ts';
import { mailContactImport } from '../../shared/mail/imports/domain.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';

/** Every kind of record that can be imported. */
export const importDomains: readonly ImportDomain[] = [
  mailContactImport as unknown as ImportDomain,
  ...crmImports,
];
