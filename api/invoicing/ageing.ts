import { z } from 'zod';
import { Ageing } from '../../shared/invoicing/ageing/record.ts';
import { ageingReport } from '../../shared/invoicing/ageing/report.ts';
import { contextOf } from '../../shared/invoicing/documents/context.ts';
import { id } from '../../shared/kernel/schema.ts';
import type { AskedReport } from '../../shared/platform/reports/report.ts';
import { report } from '../http/reports.ts';
import { asOf } from './dashboard.ts';

const Reply = z.strictObject({ ageing: Ageing });

export const ageing = [
  report({
    id: 'invoicing.invoices.ageing',
    path: '/api/v1/invoices/ageing',
    summary: 'What companies owe, by how long it is overdue',
    description:
      'The outstanding invoices of each company by the days since their due dates, by balance, as of today or of ' +
      'a day that is past. Each figure of today is the sum over the list with the same `company_id` and `ageing`. A CSV file has the lines alone; a PDF has the ' +
      'totals too, and carries the sums from page to page.',
    report: ageingReport,
    filters: {
      company_id: id('comp').describe('What this company owes alone.').optional(),
      as_of: asOf(),
    },
    reply: Reply,
    async asked({ company_id, as_of }, reader) {
      const { today } = await contextOf(reader);
      const asked: AskedReport = { as_of: as_of ?? today };
      return company_id === undefined ? asked : { ...asked, company_id };
    },
    answer: { of_rows: (made, { as_of }) => ({ ageing: { as_of, ...made } }) as z.input<typeof Reply> },
  }),
];
