import { z } from 'zod';
import { OwnResponse, ShownEnding } from '../../shared/forms/responses/answered.ts';
import { editResponse, receiptOf } from '../../shared/forms/responses/edit.ts';
import { EditInput } from '../../shared/forms/responses/input.ts';
import { receiptLinks } from '../../shared/forms/responses/links.ts';
import { read, write } from '../http/endpoint.ts';

const ofReceipt = {
  scope: 'link',
  link: receiptLinks,
  path: '/api/v1/forms/r/:token',
  params: z.strictObject({
    token: z
      .string()
      .describe('The last part of the link of the receipt.')
      .meta({ examples: ['V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] }),
  }),
  reply: z.strictObject({
    ending: ShownEnding.nullable(),
    response: OwnResponse.nullable().describe('null where the answers cannot be changed any more.'),
  }),
} as const;

/** What guests do by the link of their receipt. */
export const r = [
  read({
    ...ofReceipt,
    id: 'forms.receipts.get',
    method: 'get',
    summary: 'Read a receipt by its link',
    description: 'For 30 days after the submission.',
    handle: ({ link }, reader) => receiptOf(reader, link!.record_id),
  }),
  write({
    ...ofReceipt,
    id: 'forms.receipts.update',
    method: 'put',
    summary: 'Change the answers by the link of their receipt',
    description:
      'All answers are sent anew, and judged by the version that they were given to. Later than `allow_edit_hours` it is 404.',
    body: EditInput,
    body_limits: { bytes: 1024 * 1024 },
    raises: ['already_answered', 'form_closed'],
    handle: ({ link, body }, work) => editResponse(work, link!.record_id, body.data),
  }),
];
