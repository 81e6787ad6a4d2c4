import { z } from 'zod';
import { createTerms, deleteTerms } from '../../shared/attendance/terms/operations.ts';
import { termsPage } from '../../shared/attendance/terms/queries.ts';
import { Terms, TermsInput } from '../../shared/attendance/terms/record.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { DeletedWithJob, LeftJob } from './org.ts';

const PATH = '/api/v1/attendance/members/:id/terms';

export const terms = [
  list({
    id: 'attendance.terms.list',
    path: PATH,
    scope: 'attendance:read',
    summary: 'List the terms of a member',
    description:
      'Each row holds from its `effective_from` to the next one. Before the first: the default schedule, 5 days and 40 hours a week.',
    params: byId('mem'),
    item: Terms,
    sorts: ['effective_from'],
    handle: ({ params, window }, reader) => termsPage(reader, params.id, window),
  }),
  write({
    id: 'attendance.terms.create',
    method: 'post',
    path: PATH,
    scope: 'attendance:write',
    status: 201,
    summary: 'Give a member terms from a day on',
    description:
      'Owners and admins do this. Terms of the same day are replaced. The days of open periods are computed again by `job`.',
    params: byId('mem'),
    body: TermsInput,
    reply: z.strictObject({ terms: Terms, job: LeftJob }),
    raises: ['role_required', 'unknown_reference'],
    handle: async ({ params, body }, work) => {
      const made = await createTerms(work, params.id, body);
      const Location = `${PATH.replace(':id', params.id)}/${made.terms.id}`;
      return new Answer(201, made, { Location });
    },
  }),
  write({
    id: 'attendance.terms.delete',
    method: 'delete',
    path: `${PATH}/:term_id`,
    scope: 'attendance:write',
    summary: 'Take terms back',
    description: 'Those before them go on. The days of open periods are computed again by `job`.',
    params: z.object({ id: id('mem'), term_id: id('term') }),
    reply: DeletedWithJob,
    raises: ['role_required'],
    handle: async ({ params }, work) => ({
      success: true as const,
      ...(await deleteTerms(work, params.id, params.term_id)),
    }),
  }),
];
