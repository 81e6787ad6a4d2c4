import { domain } from '../platform/domain.ts';
import { indexDueContacts } from './contacts/search-sweep.ts';
import { mailContactExport } from './exports/contacts.ts';
import { suppressionExport } from './exports/suppressions.ts';
import { mailContactImport } from './imports/domain.ts';

export const mail = domain({
  name: 'mail',
  title: 'Mail',
  description: 'Contacts for mail delivery, in lists, and who must not be mailed.',
  resources: {
    contacts: {
      title: 'Mail contacts',
      description: 'Addresses with what is known of their consent. An address is in an organization once.',
    },
    imports: {
      title: 'Imports of mail contacts',
      description: 'Files of addresses on their way in, what was wrong with them, and how to undo them.',
    },
    lists: { title: 'Lists', description: 'Groups of contacts that are mailed together.' },
    suppressions: {
      title: 'Suppressions',
      description: 'Addresses that must never be mailed again, whether they are contacts or not.',
    },
    audit_logs: { title: 'Audit log', description: 'Who changed what in mail.' },
  },
  exports: [mailContactExport, suppressionExport],
  imports: [mailContactImport],
  sweeps: [
    {
      name: 'mail_contacts_search',
      description: 'Puts changed mail contacts into the search',
      every: 1_000,
      run: indexDueContacts,
    },
  ],
});
