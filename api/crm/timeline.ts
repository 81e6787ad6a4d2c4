import { z } from 'zod';
import { type Subject, timelinePage } from '../../shared/crm/timeline/queries.ts';
import { timelineItem } from '../../shared/crm/timeline/record.ts';
import { domains } from '../../shared/domains.ts';
import { addFault, id, integerParameter } from '../../shared/kernel/schema.ts';
import { read } from '../http/endpoint.ts';

const sources = domains.flatMap((each) => each.timeline ?? []);

const ANOTHER_SUBJECT = {
  en: 'must not be sent together with another subject',
  ja: 'はほかの対象と同時に指定できません',
};
const NO_SUBJECT = {
  en: 'is required, or contact_id or deal_id',
  ja: 'または contact_id か deal_id が必須です',
};

const Query = z
  .strictObject({
    company_id: id('comp').optional(),
    contact_id: id('cont').optional(),
    deal_id: id('deal').optional(),
    limit: integerParameter(1, 200).describe('Items to answer: 50 unless said.').optional(),
    starting_after: z.string().max(100).describe('The id of the last item received.').optional(),
  })
  .superRefine((query, context) => {
    const [first, second] = subjectsOf(query);
    if (first && !second) return;
    if (second) addFault(context, `${second.kind}_id`, 'mutually_exclusive', ANOTHER_SUBJECT);
    else addFault(context, 'company_id', 'required', NO_SUBJECT);
  });

function subjectsOf(query: { company_id?: string; contact_id?: string; deal_id?: string }): Subject[] {
  return (['company', 'contact', 'deal'] as const).flatMap((kind) => {
    const subject_id = query[`${kind}_id`];
    return subject_id === undefined ? [] : [{ kind, id: subject_id }];
  });
}

export const timeline = [
  read({
    id: 'crm.timeline.list',
    method: 'get',
    path: '/api/v1/crm/timeline',
    scope: 'crm:read',
    summary: 'List what happened to a company, contact or deal',
    description:
      'The latest first, by cursor only. That of a company or contact includes the activities of its deals and the ' +
      'stages that they went through, and, for those who may read documents, when documents were made and changed ' +
      'their status. That of a contact includes, for those who may read mail, when mails of campaigns went to its e-mail and a person ' +
      'first opened one and first followed a link.',
    query: Query,
    reply: z.strictObject({ data: z.array(timelineItem(sources)), has_more: z.boolean() }),
    raises: ['invalid_cursor'],
    handle: ({ query: { limit = 50, starting_after, ...query } }, reader) =>
      timelinePage(reader, subjectsOf(query)[0]!, { limit, starting_after }, sources),
  }),
];
