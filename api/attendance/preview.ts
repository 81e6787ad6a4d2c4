import { preview as previewFor } from '../../shared/attendance/preview/given.ts';
import { Preview, PreviewInput } from '../../shared/attendance/preview/record.ts';
import { write } from '../http/endpoint.ts';

export const preview = [
  write({
    id: 'attendance.preview.create',
    method: 'post',
    path: '/api/v1/attendance/preview',
    scope: 'attendance:write',
    summary: 'Compute days without keeping anything',
    description:
      "The records that punches would make, and what they add up to: under the organization's settings and holidays with what differs from them. Figures are those that the same punches of a member would have; at most 62 days from the first date to the last one. Punches are judged one after the other: one that would be refused is 422 at its place.",
    body: PreviewInput,
    reply: Preview,
    raises: ['unknown_reference'],
    async handle({ body }, work) {
      work.nothingChanged();
      return previewFor(work, body);
    },
  }),
];
