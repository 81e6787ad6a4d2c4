import { z } from 'zod';
import { createSegment, deleteSegment, updateSegment } from '../../shared/mail/segments/operations.ts';
import { previewSegment, SegmentPreview, SegmentPreviewInput } from '../../shared/mail/segments/preview.ts';
import { segmentById, segmentPage } from '../../shared/mail/segments/queries.ts';
import { Segment, SegmentInput, SegmentPatch, segmentKind } from '../../shared/mail/segments/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';

const PATH = '/api/v1/mail/segments';

const segment = resource({
  id: 'mail.segments',
  path: PATH,
  domain: 'mail',
  one: 'a segment',
  prefix: 'mseg',
});

const SegmentReply = z.strictObject({ segment: Segment });

export const segments = [
  list({
    ...segment.list,
    summary: 'List segments',
    description: 'Their contacts are found anew at each use: a preview counts them.',
    item: Segment,
    looked_up: segmentKind,
    limit: { default: 50, most: 200 },
    handle: ({ filters, window }, reader) => segmentPage(reader, filters, window),
  }),
  read({
    ...segment.get,
    description: 'With its filter.',
    reply: SegmentReply,
    handle: async ({ params }, reader) => ({ segment: await segmentById(reader, params.id) }),
  }),
  write({
    ...segment.create,
    description: 'Fields that begin with `crm.` need `crm:read` too.',
    body: SegmentInput,
    reply: SegmentReply,
    raises: ['already_exists'],
    handle: async ({ body }, work) => ({ segment: createSegment(work, body) }),
  }),
  write({
    ...segment.update,
    description: `${FIELDS_SENT} A campaign that has begun keeps its recipients.`,
    body: SegmentPatch,
    reply: SegmentReply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({ segment: await updateSegment(work, params.id, body) }),
  }),
  write({
    ...segment.delete,
    description: 'One that a campaign names whose recipients are not settled yet is refused: `in_use`.',
    raises: ['in_use'],
    handle: deleting(deleteSegment),
  }),
  write({
    id: 'mail.segments.preview',
    method: 'post',
    path: `${PATH}/preview`,
    scope: 'mail:read',
    summary: 'Count the contacts that a filter finds',
    description: 'Nothing is kept. Fields that begin with `crm.` need `crm:read` too.',
    body: SegmentPreviewInput,
    reply: SegmentPreview,
    secrets: ['sample'],
    renew: async (_, work, { body }) => ({ sample: (await previewSegment(work, body)).sample }),
    raises: ['unknown_reference'],
    async handle({ body }, work) {
      work.nothingChanged();
      return previewSegment(work, body);
    },
  }),
];
