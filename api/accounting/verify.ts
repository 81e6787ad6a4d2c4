import { verifyBooks } from '../../shared/accounting/verify/operations.ts';
import { write } from '../http/endpoint.ts';
import { JobReply } from '../http/schemas.ts';

export const verify = [
  write({
    id: 'accounting.reports.verify',
    method: 'post',
    path: '/api/v1/accounting/reports/verify',
    scope: 'audit:read',
    domain_scope: 'accounting:read',
    status: 202,
    summary: 'Verify the books',
    description:
      'A worker compares the sums that reports read with the lines that they were made of, each entry with its lines, and the numbers of each year with its counter. `result` of the job has `ok`, `differences_count` and the first 100 `differences[]`: what was compared (`check`), where (`at`), what is kept and what the lines come to.',
    reply: JobReply,
    handle: async (_, work) => ({ job: verifyBooks(work) }),
  }),
];
