import { z } from 'zod';
import { says } from '../../shared/kernel/language.ts';
import { day } from '../../shared/kernel/schema.ts';
import { receivedDashboard } from '../../shared/received/dashboard/dashboard.ts';
import { ReceivedDashboard } from '../../shared/received/dashboard/record.ts';
import { read } from '../http/endpoint.ts';

/** Days that a period may begin or end with: others leave the calendar when months are counted from them. */
const limit = () =>
  day().refine((value) => value >= '1900-01-01' && value < '9999-01-01', {
    params: { code: 'out_of_range' },
    error: says({
      en: 'must be a day from 1900-01-01 to 9998-12-31',
      ja: 'は 1900-01-01 から 9998-12-31 までの日付で指定してください',
    }),
  });

const Asked = z
  .strictObject({
    from: limit().describe('The first day of issue.').optional(),
    to: limit().describe('The last day of issue.').optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    params: { code: 'before_start' },
    error: says({ en: 'must not be before "from"', ja: 'は from 以後の日付で指定してください' }),
  });

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
    query: Asked,
    reply: z.strictObject({ dashboard: ReceivedDashboard }),
    handle: async ({ query: { from = null, to = null } }, reader) => ({
      dashboard: await receivedDashboard(reader, { from, to }),
    }),
  }),
];
