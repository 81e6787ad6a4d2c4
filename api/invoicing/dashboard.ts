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

/** The day at whose end something was open. */
export const asOf = () =>
  limit().describe('What was open at the end of this day; of today unless said.').optional();

export const dashboard = [
  read({
    id: 'invoicing.invoices.dashboard',
    method: 'get',
    path: '/api/v1/invoices/dashboard',
    scope: 'invoicing:read',
    summary: 'What is invoiced, paid and overdue',
    description:
      'Of all invoices and quotations, or of those issued in the period that is asked for. What is outstanding, overdue and ' +
      'due soon, its ageing and the companies that owe the most are those of `as_of`, today unless said: of a day that is ' +
      'past what was open then, by the days of issue, payments and credit notes, and by when invoices were cancelled. Each ' +
      'figure of today is the sum over the list with the same filters: ' +
      '`issue_date_from` and `issue_date_to` with `status`, `outstanding`, `overdue`, `due_soon` or `ageing`; ' +
      '`paid_from` and `paid_to` for what was collected.',
    query: AskedPeriod.safeExtend({ as_of: asOf() }),
    reply: z.strictObject({ dashboard: Dashboard }),
    handle: async ({ query: { from = null, to = null, as_of = null } }, reader) => ({
      dashboard: await dashboardOf(reader, { from, to, as_of }),
    }),
  }),
];
