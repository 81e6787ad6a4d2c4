import { domain } from '../platform/domain.ts';

export const received = domain({
  name: 'received',
  title: 'Received documents',
  description: 'What purchase orders became: the invoices that suppliers will send.',
  resources: {},
});
