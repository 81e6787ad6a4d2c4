import { refusesBy } from '../../db/constraint.ts';
import { unknownReference } from '../../kernel/failure.ts';
import type { Reference } from '../../platform/references.ts';
import { relinkedRows } from '../../platform/relink.ts';
import { documentFacts } from './facts.ts';

refusesBy('sign_documents_organization_id_company_id_fkey', () =>
  unknownReference('/company_id', { en: 'The company', ja: '取引先' }),
);

/**
 * How documents follow their company when it is merged. One that is removed leaves them without: who removes it need not
 * know of documents that they do not see, and `counterparty_name` stays.
 */
export const signReferences: readonly Reference[] = [
  {
    to: 'crm_companies',
    table: 'sign_documents',
    column: 'company_id',
    keeps_imported: true,
    follows: {
      removal: 'cleared',
      kind: `'sign_document'`,
      ...relinkedRows('sign_documents', 'company_id', documentFacts.updated),
    },
  },
];
