import { z } from 'zod';
import { yearMonth } from '../../shared/attendance/months/month.ts';
import {
  type Confirmed,
  confirmMonth,
  confirmMonths,
} from '../../shared/attendance/submissions/confirming.ts';
import {
  reopenMonth,
  returnMonth,
  submitMonth,
  updateSubmission,
} from '../../shared/attendance/submissions/operations.ts';
import { submissionById, submissionPage } from '../../shared/attendance/submissions/queries.ts';
import {
  Opening,
  Submission,
  SubmissionInput,
  SubmissionPatch,
  submissionKind,
} from '../../shared/attendance/submissions/record.ts';
import { keptStatuses, refusalsOf } from '../../shared/attendance/submissions/transitions.ts';
import { failures, shownCode } from '../../shared/domains.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { resource } from '../http/resource.ts';

const PATH = '/api/v1/attendance/submissions';

const submission = resource({
  id: 'attendance.submissions',
  path: PATH,
  domain: 'attendance',
  one: 'a submission',
  prefix: 'msub',
});

const SubmissionReply = z.strictObject({ submission: Submission });

const SCOPES = 'The call asks for `attendance:write` too.';

/** A call that does something to one submission; the action is the last word of its path. */
const action = <const Name extends 'confirm' | 'return' | 'reopen'>(name: Name) =>
  ({
    id: `attendance.submissions.${name}`,
    method: 'post',
    path: `${PATH}/:id/${name}`,
    params: byId('msub'),
    reply: SubmissionReply,
  }) as const;

function outcomeOf({ id: submission_id, failure }: Confirmed) {
  if (failure === null) return { id: submission_id, status: 200, code: null };
  return { id: submission_id, status: failures[failure].status, code: shownCode(failure) };
}

/** The most submissions of one call. */
const MOST = 200;

export const submissions = [
  list({
    ...submission.list,
    summary: 'List submissions',
    description:
      'Of members whose days you may read: all for owners and admins, the departments that they manage for managers, and your own. A month that nobody has submitted has none.',
    item: Submission,
    looked_up: submissionKind,
    filters: z.object({
      month: yearMonth().optional(),
      status: manyOf(z.enum(keptStatuses))
        .describe('Several with commas.')
        .meta({ examples: ['submitted,confirmed'] })
        .optional(),
      member_id: id('mem').optional(),
      department_id: id('dept').describe('A department with all below it.').optional(),
    }),
    sorts: ['month'],
    handle: ({ filters, window }, reader) => submissionPage(reader, filters, window),
  }),
  read({
    ...submission.get,
    description: '`available_actions` says what you can do to it.',
    reply: SubmissionReply,
    handle: async ({ params }, reader) => ({ submission: await submissionById(reader, params.id) }),
  }),
  write({
    ...submission.create,
    also: [200],
    summary: 'Submit a month',
    description:
      'Your own, or as manager, admin or owner that of somebody else, from the last day of its period on. It closes the period: no record of it changes until it is returned or reopened, whatever is changed elsewhere. One that was returned or reopened is submitted again with the same ID, which is answered with 200. `submission_blocked` names in `blocking[]` what keeps it open: sessions without end, pending requests, absences.',
    body: SubmissionInput,
    reply: SubmissionReply,
    raises: [
      'role_required',
      'unknown_reference',
      'already_exists',
      ...refusalsOf('submit'),
      'period_open',
      'earlier_period_open',
      'month_locked',
      'submission_blocked',
    ],
    handle: async ({ body }, work) => {
      const made = await submitMonth(work, body);
      const reply = { submission: made.submission };
      if (!made.is_new) return new Answer(200, reply);
      return new Answer(201, reply, { Location: `${PATH}/${made.submission.id}` });
    },
  }),
  write({
    ...submission.update,
    description: 'Your own IDs alone, while the month is not confirmed.',
    body: SubmissionPatch,
    reply: SubmissionReply,
    raises: ['already_exists', 'submission_frozen'],
    handle: async ({ params, body }, work) => ({ submission: await updateSubmission(work, params.id, body) }),
  }),
  write({
    ...action('confirm'),
    scope: 'approvals:write',
    summary: 'Confirm a month',
    description: `Days, totals, limits and settings become a revision, which reports and exports of the month come from. Not your own, but as the only owner or with \`allow_self_approval\`; managers where the settings say \`manager_can_confirm\`. The member is told by mail. ${SCOPES}`,
    raises: [...refusalsOf('confirm'), 'earlier_period_open'],
    handle: async ({ params }, work) => ({ submission: await confirmMonth(work, params.id) }),
  }),
  write({
    ...action('return'),
    scope: 'approvals:write',
    summary: 'Return a month',
    description: `The period is open again. The member is told by mail, with the comment. ${SCOPES}`,
    body: Opening,
    raises: refusalsOf('return'),
    handle: async ({ params, body }, work) => ({
      submission: await returnMonth(work, params.id, body.comment),
    }),
  }),
  write({
    ...action('reopen'),
    scope: 'attendance:write',
    summary: 'Reopen a confirmed month',
    description:
      'By owners and admins, the last closed month first. The period is open again, and the revision that was confirmed is kept. The member is told by mail, with the comment.',
    body: Opening,
    raises: refusalsOf('reopen'),
    handle: async ({ params, body }, work) => ({
      submission: await reopenMonth(work, params.id, body.comment),
    }),
  }),
  write({
    id: 'attendance.submissions.confirm_many',
    method: 'post',
    path: `${PATH}/confirm-many`,
    scope: 'approvals:write',
    summary: 'Confirm many months',
    description: `Each as if it were confirmed alone; \`status\` and \`code\` are what its own call would have answered, in the order of the IDs. ${SCOPES}`,
    body: z.strictObject({ ids: z.array(id('msub')).min(1).max(MOST) }).meta({ id: 'AttendanceConfirmMany' }),
    reply: z.strictObject({
      items: z.array(
        z.strictObject({
          id: id('msub'),
          status: z.int().meta({ examples: [200] }),
          code: z
            .string()
            .nullable()
            .describe('null on success.')
            .meta({ examples: [null] }),
        }),
      ),
    }),
    handle: async ({ body }, work) => ({ items: (await confirmMonths(work, body.ids)).map(outcomeOf) }),
  }),
];
