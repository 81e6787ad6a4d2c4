import { z } from 'zod';
import { receivedDashboard } from '../../shared/received/dashboard/dashboard.ts';
import { ReceivedDashboard } from '../../shared/received/dashboard/record.ts';
import { read } from '../http/endpoint.ts';
import { AskedPeriod } from '../invoicing/dashboard.ts';

export const receivedInvoiceDashboard = [
  read({
    id: 'received.invoices.dashboard',
    method: 'get',
    path: '/api/v1/received-invoices/dashboard',
    scope: 'received:read',
    summary: 'What is to be decided on and to be paid',
    description:
      'Of the received invoices issued in the period, by default of all. Each figure is the sum over the list with the same ' +
      'filters: `issue_date_from` and `issue_date_to` with `status`, `unpaid`, `overdue`, `qualified` or bounds of ' +
      '`due_date`; `paid_from` and `paid_to` with `status=paid` for what was paid.',
    query: AskedPeriod,
    reply: z.strictObject({ dashboard: ReceivedDashboard }),
    handle: async ({ query: { from = null, to = null } }, reader) => ({
      dashboard: await receivedDashboard(reader, { from, to }),
    }),
  }),
];
