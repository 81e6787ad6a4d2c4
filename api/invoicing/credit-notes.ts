import { z } from 'zod';
import { createCreditNote } from '../../shared/invoicing/credit-notes/operations.ts';
import {
  creditNoteById,
  creditNoteOf,
  creditNotePage,
  creditNotePageOf,
} from '../../shared/invoicing/credit-notes/queries.ts';
import { CreditNoteInput, CreditNotePatch } from '../../shared/invoicing/credit-notes/record.ts';
import { changeDocument } from '../../shared/invoicing/documents/change.ts';
import { contextOf } from '../../shared/invoicing/documents/context.ts';
import { kinds } from '../../shared/invoicing/documents/kinds.ts';
import { documentSorts } from '../../shared/invoicing/documents/queries.ts';
import { documentRecordKinds } from '../../shared/invoicing/documents/record.ts';
import { CreditNote, Invoice, summarySchemas } from '../../shared/invoicing/documents/shape.ts';
import { documentExports } from '../../shared/invoicing/exports/documents.ts';
import { lineExports } from '../../shared/invoicing/exports/lines.ts';
import { documentFiles } from '../../shared/invoicing/pdf/contents.ts';
import { byId, day, id } from '../../shared/kernel/schema.ts';
import { bookkeepingRefusals } from '../../shared/platform/bookkeeping.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { filesOf } from '../http/files-of-many.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { FIELDS_SENT } from '../http/resource.ts';
import { BOOKED_TOO } from './booked.ts';

const { due_date, ...sorts } = documentSorts;

const creditNoteList = list({
  id: 'invoicing.credit_notes.list',
  path: '/api/v1/credit-notes',
  scope: 'invoicing:read',
  summary: 'List credit notes',
  description: 'Without their lines. Days are compared as they stand on the credit notes, both included.',
  item: summarySchemas.credit_note,
  looked_up: documentRecordKinds.credit_note,
  filters: z.object({
    status: manyOf(z.enum(kinds.credit_note.statuses)).optional(),
    company_id: id('comp').optional(),
    invoice_id: id('inv').optional(),
    search: z
      .string()
      .max(200)
      .describe('Part of the number or the subject.')
      .meta({ examples: ['CN-2026'] })
      .optional(),
    issue_date_from: day().optional(),
    issue_date_to: day().optional(),
  }),
  sorts: Object.keys(sorts),
  handle: ({ filters, window }, reader) => creditNotePage(reader, filters, window),
});

export const creditNotes = [
  list({
    id: 'invoicing.invoices.credit_notes.list',
    path: '/api/v1/invoices/:id/credit-notes',
    scope: 'invoicing:read',
    summary: 'List the credit notes of an invoice',
    description: 'Without their lines. All of them together never come to more than the invoice.',
    params: byId('inv'),
    item: summarySchemas.credit_note,
    looked_up: documentRecordKinds.credit_note,
    sorts: Object.keys(sorts),
    handle: ({ params, filters, window }, reader) => creditNotePageOf(reader, params.id, filters, window),
  }),
  write({
    id: 'invoicing.invoices.credit_notes.create',
    method: 'post',
    path: '/api/v1/invoices/:id/credit-notes',
    scope: 'invoicing:write',
    summary: 'Credit an invoice',
    description:
      'Makes a credit note (適格返還請求書), issued at once: all that is not credited yet unless lines are sent, each a ' +
      'quantity of a line of the invoice or a reduction of its own. Its tax is that of all that is credited so far ' +
      'less what earlier notes took, so notes of parts add up to the invoice to the yen. All notes together may not ' +
      'come to more than the invoice, in quantity of a line, in a tax category and in total. After full payment the ' +
      `balance of the invoice becomes negative: what is owed back. ${BOOKED_TOO}`,
    params: byId('inv'),
    body: CreditNoteInput,
    status: 201,
    reply: z.strictObject({ credit_note: CreditNote, invoice: Invoice }),
    example: { invoice: { credited: 3_240, balance: 0, available_actions: ['send-email', 'duplicate'] } },
    raises: [
      'invalid_transition',
      'over_credit',
      'unknown_reference',
      'already_exists',
      ...bookkeepingRefusals,
    ],
    handle: async ({ params, body, bookkeeping }, work) => {
      const made = await createCreditNote(work, params.id, body, bookkeeping);
      return new Answer(201, made, { Location: `/api/v1/credit-notes/${made.credit_note.id}` });
    },
  }),
  creditNoteList,
  filesOf(creditNoteList, documentFiles.credit_note),
  exportOf(creditNoteList, documentExports.credit_note, {
    documents: documentExports.credit_note,
    lines: lineExports.credit_note,
  }),
  read({
    id: 'invoicing.credit_notes.get',
    method: 'get',
    path: '/api/v1/credit-notes/:id',
    scope: 'invoicing:read',
    summary: 'Read a credit note',
    description:
      'With its lines and the invoice that it takes back from. It was issued when it was made, and its lines never change.',
    params: byId('cn'),
    reply: z.strictObject({ credit_note: CreditNote }),
    handle: async ({ params }, reader) => ({ credit_note: await creditNoteById(reader, params.id) }),
  }),
  write({
    id: 'invoicing.credit_notes.update',
    method: 'patch',
    path: '/api/v1/credit-notes/:id',
    scope: 'invoicing:write',
    summary: 'Change a credit note',
    description: `${FIELDS_SENT} What is printed never changes.`,
    params: byId('cn'),
    body: CreditNotePatch,
    reply: z.strictObject({ credit_note: CreditNote }),
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => {
      const note = await changeDocument(work, 'credit_note', params.id, body);
      return { credit_note: creditNoteOf(note, await contextOf(work)) };
    },
  }),
];
