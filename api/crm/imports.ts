import {
  CompanyImportOptions,
  ContactImportOptions,
  crmImports,
  DealImportOptions,
} from '../../shared/crm/imports/domains.ts';
import { CrmImport, crmImportOf } from '../../shared/crm/imports/record.ts';
import { importEndpoints } from '../imports/endpoints.ts';

const options = {
  'crm.companies': CompanyImportOptions,
  'crm.contacts': ContactImportOptions,
  'crm.deals': DealImportOptions,
};

const pathOf = (kind: string) => `/api/v1/${kind.replace('.', '/')}`;

export const imports = importEndpoints({
  area: 'crm',
  resource: CrmImport,
  show: crmImportOf,
  kinds: crmImports.map((domain) => ({
    domain,
    path: pathOf(domain.kind),
    options: options[domain.kind as keyof typeof options],
  })),
});
