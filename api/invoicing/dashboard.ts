import { z } from 'zod';
import { dashboardOf } from '../../shared/invoicing/dashboard/dashboard.ts';
import { Dashboard } from '../../shared/invoicing/dashboard/record.ts';
import { says } from '../../shared/kernel/language.ts';
import { day } from '../../shared/kernel/schema.ts';
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

/** The days of issue that a dashboard is asked about. */
export const AskedPeriod = z
  .strictObject({
    from: limit().describe('The first day of issue.').optional(),
    to: limit().describe('The last day of issue.').optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    params: { code: 'before_start' },
    error: says({ en: 'must not be before "from"', ja: 'は from 以後の日付で指定してください' }),
  });

export const dashboard = [
  read({
    id: 'invoicing.invoices.dashboard',
    method: 'get',
    path: '/api/v1/invoices/dashboard',
    scope: 'invoicing:read',
    summary: 'What is invoiced, paid and overdue',
    description:
      'Of the invoices and quotations issued in the period, by default the present fiscal year; where one end is not ' +
      'sent it is that of the fiscal year. Each figure is the sum over the list with the same filters: ' +
      '`issue_date_from` and `issue_date_to` with `status`, `outstanding`, `overdue`, `due_soon` or `ageing`; ' +
      '`paid_from` and `paid_to` for what was collected.',
    query: AskedPeriod,
    reply: z.strictObject({ dashboard: Dashboard }),
    handle: async ({ query }, reader) => ({ dashboard: await dashboardOf(reader, query) }),
  }),
];
