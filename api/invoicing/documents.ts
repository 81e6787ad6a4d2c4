import { z } from 'zod';
import { documentBatches } from '../../shared/invoicing/actions/batches.ts';
import { duplicating } from '../../shared/invoicing/actions/every-kind.ts';
import { changeDocument, deleteDocument } from '../../shared/invoicing/documents/change.ts';
import { contextOf } from '../../shared/invoicing/documents/context.ts';
import { createDocument, plannedDocument } from '../../shared/invoicing/documents/create.ts';
import { exampleDocument } from '../../shared/invoicing/documents/example.ts';
import { kinds, oneOf, type WrittenKind } from '../../shared/invoicing/documents/kinds.ts';
import {
  type DocumentFilters,
  documentPage,
  documentSorts,
  invoiceSorts,
} from '../../shared/invoicing/documents/queries.ts';
import { type DocumentRecord, documentRecordKinds } from '../../shared/invoicing/documents/record.ts';
import { documentById } from '../../shared/invoicing/documents/rows.ts';
import {
  type Document,
  documentSchemas,
  inputSchemas,
  patchSchemas,
  previewSchemas,
  summarySchemas,
} from '../../shared/invoicing/documents/shape.ts';
import { documentOf, previewOf } from '../../shared/invoicing/documents/shown.ts';
import { documentExports } from '../../shared/invoicing/exports/documents.ts';
import { lineExports } from '../../shared/invoicing/exports/lines.ts';
import { documentFiles } from '../../shared/invoicing/pdf/contents.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { byId, day, id } from '../../shared/kernel/schema.ts';
import { batchOf } from '../http/batches.ts';
import { Answer } from '../http/declaration.ts';
import { type Endpoint, read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { filesOf } from '../http/files-of-many.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';
import { documentImportEndpoints } from './imports.ts';

/** What the lists of all kinds are filtered by. */
function commonFilters(kind: WrittenKind) {
  const { statuses, title } = kinds[kind];
  return {
    status: manyOf(z.enum(statuses as readonly [string, ...string[]]))
      .describe('One of them, or several with commas between.')
      .optional(),
    company_id: id('comp').optional(),
    search: z
      .string()
      .max(200)
      .describe(`Part of the ${title.en}'s number or subject.`)
      .meta({ examples: ['2026-04'] })
      .optional(),
    issue_date_from: day().optional(),
    issue_date_to: day().optional(),
    due_date_from: day().optional(),
    due_date_to: day().optional(),
  };
}

/** A document in an answer, under its name. */
export async function replyOf<Kind extends WrittenKind>(
  reader: Reader,
  kind: Kind,
  record: DocumentRecord,
): Promise<Record<string, Document>> {
  return { [kind]: documentOf(record, await contextOf(reader)) };
}

/** The calls that every kind of document has: to list, make, read, change, remove, preview and copy them. */
export function documentEndpoints(kind: WrittenKind, filters: Record<string, z.ZodType> = {}) {
  const { path, prefix, title, limit } = kinds[kind];
  const collection = `/api/v1/${path}`;
  const name = path.replaceAll('-', '_');
  const one = oneOf(kind);
  const document = resource({ id: `invoicing.${name}`, path: collection, domain: 'invoicing', one, prefix });
  const Reply = z.strictObject({ [kind]: documentSchemas[kind] });
  const draft = { [kind]: exampleDocument(kind, 'draft') };
  const raises = ['unknown_reference', 'already_exists'] as const;

  const documents = list({
    ...document.list,
    summary: `List ${title.en}s`,
    description: 'Without their lines. Days are compared as they stand on the documents, both included.',
    item: summarySchemas[kind],
    looked_up: documentRecordKinds[kind],
    filters: z.object({ ...commonFilters(kind), ...filters }),
    sorts: Object.keys(kind === 'invoice' ? invoiceSorts : documentSorts),
    limit,
    handle: ({ filters: asked, window }, reader) =>
      documentPage(reader, kind, asked as DocumentFilters, window),
  });

  const others = [
    exportOf(documents, documentExports[kind], {
      documents: documentExports[kind],
      lines: lineExports[kind],
    }),
    batchOf(documents, documentBatches[kind]),
    filesOf(documents, documentFiles[kind]),
    ...documentImportEndpoints(kind),
    write({
      ...document.create,
      description: 'As a draft. Tax is rounded once for each rate of the document, never a line.',
      body: inputSchemas[kind],
      reply: Reply,
      example: draft,
      raises,
      handle: async ({ body }, work) => replyOf(work, kind, await createDocument(work, kind, body)),
    }),
    write({
      id: `invoicing.${name}.preview`,
      method: 'post',
      path: `${collection}/preview`,
      scope: 'invoicing:read',
      summary: `Preview ${one}`,
      description: 'What the same body would make, with its totals and warnings. Nothing is stored.',
      body: inputSchemas[kind],
      reply: z.strictObject({ [kind]: previewSchemas[kind] }),
      raises: ['unknown_reference'],
      handle: async ({ body }, work) => {
        const { record } = await plannedDocument(work, kind, body);
        work.nothingChanged();
        return { [kind]: previewOf(record, await contextOf(work)) };
      },
    }),
    read({
      ...document.get,
      description:
        'With its lines, its totals by rate of tax, and `available_actions`: what can be done to it in its present status.',
      reply: Reply,
      handle: async ({ params }, reader) =>
        replyOf(reader, kind, await documentById(reader, kind, params.id)),
    }),
    write({
      ...document.update,
      description:
        `${FIELDS_SENT} \`line_items\` replaces the lines: one sent with its \`id\` keeps it. After issue only ` +
        '`internal_memo`, `external_id` and `metadata` change.',
      body: patchSchemas[kind],
      reply: Reply,
      example: draft,
      raises: [...raises, 'frozen'],
      handle: async ({ params, body }, work) =>
        replyOf(work, kind, await changeDocument(work, kind, params.id, body)),
    }),
    write({
      ...document.delete,
      description: 'A draft alone: what was issued stays.',
      raises: ['invalid_transition'],
      handle: deleting((work, id) => deleteDocument(work, kind, id)),
    }),
    write({
      id: `invoicing.${name}.duplicate`,
      method: 'post',
      path: `${collection}/:id/duplicate`,
      scope: 'invoicing:write',
      summary: `Duplicate ${one}`,
      description:
        'A copy as a draft of today, whatever the status of the original; without its number, dates and own keys.',
      params: byId(prefix),
      status: 201,
      reply: Reply,
      example: draft,
      handle: async ({ params, mail_limits, bookkeeping, seal }, work) => {
        const copy = await duplicating(kind).act(work, params.id, undefined, {
          mail_limits,
          bookkeeping,
          seal,
        });
        return new Answer(201, await replyOf(work, kind, copy), { Location: `${collection}/${copy.id}` });
      },
    }),
  ];
  return { documents, others } satisfies { documents: Endpoint; others: Endpoint[] };
}
