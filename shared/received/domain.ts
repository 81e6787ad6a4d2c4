import { domain } from '../platform/domain.ts';
import { receivedReferences } from './invoices/links.ts';

export const received = domain({
  name: 'received',
  title: 'Received documents',
  description: 'What purchase orders became: the invoices that suppliers will send.',
  resources: {},
  references: receivedReferences,
});
