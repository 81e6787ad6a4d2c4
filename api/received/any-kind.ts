import { anyReceivedPage, receivedSorts } from '../../shared/received/documents/list.ts';
import { AnyReceived, anyReceivedKind } from '../../shared/received/documents/record.ts';
import { list } from '../http/list.ts';
import { anyKindFilters } from './list-filters.ts';

/** The documents of all kinds together. */
export const anyKind = [
  list({
    id: 'received.documents.list',
    path: '/api/v1/receive/documents',
    scope: 'received:read',
    summary: 'List received documents of all kinds',
    description:
      'Invoices, quotations, purchase orders and delivery notes together, the latest first: by date, amount and partner, as ' +
      'the Electronic Books Preservation Act asks for. Without their lines.',
    item: AnyReceived,
    filters: anyKindFilters,
    looked_up: anyReceivedKind,
    sorts: Object.keys(receivedSorts),
    handle: ({ filters, window }, reader) => anyReceivedPage(reader, filters, window),
  }),
];
