import { domain } from '../platform/domain.ts';

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
});
