import { z } from 'zod';
import type { Reader } from '../../shared/kernel/reader.ts';
import { receivedContext } from '../../shared/received/context.ts';
import { changeReceived, deleteReceived } from '../../shared/received/documents/change.ts';
import { receivedPatches } from '../../shared/received/documents/input.ts';
import { kinds, type ReceivedKind } from '../../shared/received/documents/kinds.ts';
import { receivedPage, receivedSorts } from '../../shared/received/documents/list.ts';
import { storedDocument } from '../../shared/received/documents/queries.ts';
import {
  type ReceivedDocument,
  receivedRecordKinds,
  receivedSchemas,
  receivedSummaries,
  type ShownReceived,
} from '../../shared/received/documents/record.ts';
import { shownReceived } from '../../shared/received/documents/shown.ts';
import { withCurrentMatches } from '../../shared/received/match/current.ts';
import { type Endpoint, read, write } from '../http/endpoint.ts';
import { type ListEndpoint, list } from '../http/list.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';
import { listFilters } from './list-filters.ts';

/** A document in an answer, under its name; until it is decided on, with its match as it is now. */
export async function receivedReply(
  reader: Reader,
  document: ReceivedDocument,
): Promise<Record<string, ShownReceived>> {
  const [context, [current]] = await Promise.all([
    receivedContext(reader),
    withCurrentMatches(reader, [document]),
  ]);
  return { [kinds[document.kind].name]: shownReceived(current!, context) };
}

/** By kind, the schema of that answer. */
export function receivedReplySchema(kind: ReceivedKind) {
  return z.strictObject({ [kinds[kind].name]: receivedSchemas[kind] });
}

/** What a document may repeat, and what it may name. */
export const RAISES = [
  'unknown_reference',
  'already_exists',
  'duplicate_document',
  'duplicate_file',
] as const;

/** The list of a kind. */
export function receivedList(kind: ReceivedKind): ListEndpoint {
  const { title } = kinds[kind];
  return list({
    ...resourceOf(kind).list,
    summary: `List ${title.en}s`,
    description: 'Without their lines.',
    item: receivedSummaries[kind],
    looked_up: receivedRecordKinds[kind],
    filters: listFilters(kind),
    sorts: Object.keys(receivedSorts),
    handle: ({ filters, window }, reader) => receivedPage(reader, kind, filters, window),
  });
}

/** The calls that every kind of received document has: to list, read, change and remove them; `registration.ts` has the one that makes them. */
export function receivedEndpoints(kind: ReceivedKind): Endpoint[] {
  const document = resourceOf(kind);
  const reply = receivedReplySchema(kind);
  return [
    receivedList(kind),
    read({
      ...document.get,
      description:
        'With its lines and files, what is odd about it (`warnings`), what it still needs (`missing`) and what can be done ' +
        'with it (`available_actions`).',
      reply,
      handle: async ({ params }, reader) =>
        receivedReply(reader, await storedDocument(reader, kind, params.id)),
    }),
    write({
      ...document.update,
      description:
        `${FIELDS_SENT} \`line_items\` replaces the lines: one sent with its \`id\` keeps it. After the decision only ` +
        '`internal_memo`, `external_id`, `metadata` and the `due_date` of an unpaid invoice change.',
      body: receivedPatches[kind],
      reply,
      raises: [...RAISES, 'received_frozen'],
      handle: async ({ params, body }, work) =>
        receivedReply(work, await changeReceived(work, kind, params.id, body)),
    }),
    write({
      ...document.delete,
      description:
        'One that is pending or rejected, and has no file: files are kept until `retention_until`.',
      raises: ['invalid_transition', 'received_retained'],
      handle: deleting((work, removed) => deleteReceived(work, kind, removed)),
    }),
  ];
}

function resourceOf(kind: ReceivedKind) {
  const { path, prefix, title, resource: name } = kinds[kind];
  return resource({
    id: `received.${name}`,
    path: `/api/v1/${path}`,
    domain: 'received',
    one: `a ${title.en}`,
    prefix,
  });
}
