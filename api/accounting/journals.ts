import { z } from 'zod';
import {
  decideJournal,
  postJournal,
  submitJournal,
  voidJournal,
  withdrawJournal,
} from '../../shared/accounting/journals/actions.ts';
import { journalKinds, journalStatuses, sourceTypes } from '../../shared/accounting/journals/kinds.ts';
import {
  createJournal,
  deleteJournal,
  duplicateJournal,
  updateJournal,
} from '../../shared/accounting/journals/operations.ts';
import { approvalPageOf, journalById, journalPage } from '../../shared/accounting/journals/queries.ts';
import {
  Journal,
  JournalApproval,
  JournalDecision,
  JournalInput,
  JournalPatch,
  JournalSubmission,
  journalKind,
} from '../../shared/accounting/journals/record.ts';
import { refusalsOf } from '../../shared/accounting/journals/transitions.ts';
import { documentSources } from '../../shared/accounting/sources/entry.ts';
import { journalFromDocument } from '../../shared/accounting/sources/from-document.ts';
import { JournalOfRecord } from '../../shared/accounting/sources/record.ts';
import { taxCategory } from '../../shared/accounting/tax/category-field.ts';
import {
  booleanParameter,
  byId,
  day,
  freeText,
  id,
  integerParameter,
  text,
} from '../../shared/kernel/schema.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { deleting, resource } from '../http/resource.ts';
import { journalBatchOf } from './journal-batch.ts';

const PATH = '/api/v1/accounting/journals';

const journal = resource({
  id: 'accounting.journals',
  path: PATH,
  domain: 'accounting',
  one: 'an entry',
  prefix: 'je',
});

const JournalReply = z.strictObject({ journal: Journal });

const MOST = 999_999_999_999;

const DAY = ['no_fiscal_year', 'fiscal_year_closed', 'period_locked'] as const;

const LINES = [
  ...DAY,
  'unknown_reference',
  'inactive_account',
  'unbalanced',
  'account_map_incomplete',
  'not_first_day',
  'already_exists',
  'document_frozen',
] as const;

/** A call that does something to one entry; the action is the last word of its path. */
const action = <const Name extends string>(name: Name) =>
  ({
    id: `accounting.journals.${name}`,
    method: 'post',
    path: `${PATH}/:id/${name}`,
    scope: 'accounting:write',
    params: byId('je'),
  }) as const;

/** What an entry is made from. */
const FromDocument = z
  .strictObject({
    type: z.enum(documentSources),
    id: freeText(100).meta({ examples: ['inv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    post: z.boolean().describe('true posts the entry in the same commit.').optional(),
    preview: z.boolean().describe('true shows the entry and stores nothing.').optional(),
  })
  .meta({ id: 'JournalFromDocument' });

/** The answer of a call that makes an entry below a path of its own. */
function made<Made extends { id: string | null }>(journal: Made): Answer<{ journal: Made }> {
  return new Answer(201, { journal }, { Location: `${PATH}/${journal.id}` });
}

const journalList = list({
  ...journal.list,
  summary: 'List entries',
  description:
    '`search` looks at description, reference and number; `account_id`, `company_id` and `tax_category` at the lines, of which one has all that is asked.',
  item: Journal,
  looked_up: journalKind,
  filters: z.object({
    status: manyOf(z.enum(journalStatuses))
      .describe('Several with commas.')
      .meta({ examples: ['draft,submitted'] })
      .optional(),
    kind: z.enum(journalKinds).optional(),
    fiscal_year_id: id('fy').optional(),
    date_from: day().optional(),
    date_to: day().optional(),
    account_id: id('acc').optional(),
    company_id: id('comp').optional(),
    department_id: z.string().max(100).optional(),
    tax_category: taxCategory().optional(),
    amount_min: integerParameter(0, MOST).optional(),
    amount_max: integerParameter(0, MOST).optional(),
    search: z.string().max(200).optional(),
    source_type: z.enum(sourceTypes).optional(),
    source_id: z.string().max(100).optional(),
    has_document: booleanParameter()
      .describe('Whether evidence is linked to it, or the record that it is made from has a file.')
      .optional(),
  }),
  sorts: ['date', 'number', 'total'],
  raises: ['unknown_reference'],
  handle: ({ filters, window }, reader) => journalPage(reader, filters, window),
});

export const journals = [
  journalList,
  journalBatchOf(journalList, [...LINES, 'approval_required', 'amount_too_large']),
  read({
    ...journal.get,
    description: '`available_actions` says what the caller can do to it now.',
    reply: JournalReply,
    handle: async ({ params }, reader) => ({ journal: await journalById(reader, params.id) }),
  }),
  write({
    ...journal.create,
    description:
      'Debits and credits are equal. `post` numbers and freezes it in the same commit; `auto_tax` splits the consumption tax off a gross amount.',
    body: JournalInput,
    reply: JournalReply,
    raises: [...LINES, 'approval_required', 'amount_too_large'],
    handle: async ({ body }, work) => ({ journal: await createJournal(work, body) }),
  }),
  write({
    ...journal.update,
    description:
      'Only the fields sent change; `lines` replaces all of them. A rejected entry is a draft again.',
    body: JournalPatch,
    reply: JournalReply,
    raises: [...new Set([...LINES, ...refusalsOf('update')])],
    handle: async ({ params, body }, work) => ({ journal: await updateJournal(work, params.id, body) }),
  }),
  write({
    ...journal.delete,
    description: 'A draft or a rejected entry; a posted one is voided.',
    raises: refusalsOf('delete'),
    handle: deleting(deleteJournal),
  }),
  write({
    ...action('submit'),
    summary: 'Submit an entry for approval',
    description: 'Begins another round; possible also where no approval is required.',
    body: JournalSubmission.optional(),
    reply: JournalReply,
    raises: refusalsOf('submit'),
    handle: async ({ params, body }, work) => ({
      journal: await submitJournal(work, params.id, body?.comment ?? null),
    }),
  }),
  write({
    ...action('approve'),
    scope: 'approvals:write',
    summary: 'Approve or reject an entry',
    description: '`action: reject` gives it back to its author, with a comment.',
    body: JournalDecision.optional(),
    reply: JournalReply,
    raises: [...new Set([...refusalsOf('approve'), ...refusalsOf('reject')])],
    handle: async ({ params, body }, work) => ({
      journal: await decideJournal(work, params.id, {
        action: body?.action ?? 'approve',
        comment: body?.comment ?? null,
      }),
    }),
  }),
  write({
    ...action('withdraw'),
    summary: 'Take an entry back from its approval',
    description: 'Its author or who submitted it; it is a draft again.',
    reply: JournalReply,
    raises: refusalsOf('withdraw'),
    handle: async ({ params }, work) => ({ journal: await withdrawJournal(work, params.id) }),
  }),
  write({
    ...action('post'),
    summary: 'Post an entry',
    description: 'It gets the next number of its year, counts in the reports, and is frozen for ever.',
    reply: JournalReply,
    raises: [
      ...new Set([
        ...DAY,
        ...refusalsOf('post'),
        'amount_too_large',
        'has_journal',
        'not_first_day',
      ] as const),
    ],
    handle: async ({ params }, work) => ({ journal: await postJournal(work, params.id) }),
  }),
  write({
    ...action('void'),
    summary: 'Void a posted entry',
    description:
      'A mirror with the sides swapped is posted in the same commit: on `date`, else on the day of the entry if that is open to you, else today.',
    body: z.strictObject({
      reason: text(500).meta({ examples: ['金額の誤り'] }),
      date: day().optional(),
    }),
    reply: z.strictObject({ journal: Journal, reversal: Journal }),
    raises: [...new Set([...DAY, ...refusalsOf('void'), 'amount_too_large' as const])],
    handle: ({ params, body }, work) => voidJournal(work, params.id, body),
  }),
  write({
    ...action('duplicate'),
    status: 201,
    summary: 'Duplicate an entry',
    description: 'A draft of today with the same description and lines.',
    reply: JournalReply,
    raises: [...DAY, 'inactive_account', 'unknown_reference'],
    handle: async ({ params }, work) => made(await duplicateJournal(work, params.id)),
  }),
  write({
    id: 'accounting.journals.from_document',
    method: 'post',
    path: `${PATH}/from-document`,
    scope: 'accounting:write',
    domain_scope: 'invoicing:read',
    status: 201,
    also: [200],
    summary: 'Make the entry of a document',
    description:
      'Of an issued invoice (on its transaction date, or the end of its period), a payment (on `paid_on`), a credit ' +
      'note (on its issue date), or a deposit or refund of one (on its day), with the accounts of the account map. A record has one posted entry at most, until that ' +
      'is voided. `preview` answers 200 with the entry and stores nothing. With `auto_journal` of the settings, entries ' +
      'are made without this call.',
    body: FromDocument,
    reply: z.strictObject({ journal: JournalOfRecord }),
    raises: [
      ...DAY,
      'unknown_reference',
      'invalid_transition',
      'has_journal',
      'nothing_to_post',
      'no_tax_category',
      'account_map_incomplete',
      'inactive_account',
      'approval_required',
      'amount_too_large',
    ],
    handle: async ({ body }, work) => {
      const journal = await journalFromDocument(work, body);
      return body.preview ? new Answer(200, { journal }) : made(journal);
    },
  }),
  list({
    id: 'accounting.journals.approvals.list',
    path: `${PATH}/:id/approvals`,
    scope: 'accounting:read',
    summary: 'List the steps of an approval',
    description: 'Of all rounds, oldest first.',
    params: byId('je'),
    item: JournalApproval,
    sorts: [],
    handle: ({ params, window }, reader) => approvalPageOf(reader, params.id, window),
  }),
];
