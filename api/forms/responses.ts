import { z } from 'zod';
import { linkResponse } from '../../shared/forms/crm/link-later.ts';
import { requireFilters } from '../../shared/forms/responses/asked.ts';
import { responsePage, responseSorts } from '../../shared/forms/responses/list.ts';
import { responseById } from '../../shared/forms/responses/queries.ts';
import { FormResponse, ResponsePatch } from '../../shared/forms/responses/record.ts';
import { updateResponse } from '../../shared/forms/responses/update.ts';
import { byId, id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { FIELDS_SENT, resource } from '../http/resource.ts';
import { responseFilters } from './response-filters.ts';

const PATH = '/api/v1/forms/:id/responses';

const response = resource({
  id: 'forms.responses',
  path: PATH,
  domain: 'forms',
  one: 'a response',
  prefix: 'resp',
});

/** The path of one response of a form. */
export const ofResponse = {
  path: `${PATH}/:response_id`,
  params: z.object({ id: id('form'), response_id: id('resp') }),
};

export const ResponseReply = z.strictObject({ response: FormResponse });

const CrmLinkInput = z
  .strictObject({ contact_id: id('cont').describe('A contact of the organization.').optional() })
  .meta({ id: 'FormCrmLinkInput' });

export const responsesList = list({
  ...response.list,
  params: byId('form'),
  summary: 'List the responses of a form',
  description:
    'Of all its versions, the newest first; without those that are flagged as spam, unless `is_spam` asks for them.',
  item: FormResponse,
  filters: z.strictObject(responseFilters),
  sorts: responseSorts,
  handle: async ({ params, filters, window }, reader) => {
    await requireFilters(reader, params.id, filters, 'query');
    return responsePage(reader, params.id, filters, window);
  },
});

/** The calls that read responses, and change what staff keep about them. */
export const responses = [
  responsesList,
  read({
    ...response.get,
    ...ofResponse,
    description: 'Its answers, and what the version that it was given to made of them.',
    reply: ResponseReply,
    handle: async ({ params }, reader) => ({
      response: await responseById(reader, params.id, params.response_id),
    }),
  }),
  write({
    ...response.update,
    ...ofResponse,
    description: `${FIELDS_SENT} The answers are their sender's, and do not change.`,
    body: ResponsePatch,
    reply: ResponseReply,
    raises: ['unknown_reference', 'form_full', 'already_answered'],
    handle: async ({ params, body }, work) => ({
      response: await updateResponse(work, params.id, params.response_id, body),
    }),
  }),
  write({
    id: 'forms.responses.crm_link',
    method: 'post',
    path: `${ofResponse.path}/crm-link`,
    scope: 'forms:write',
    domain_scope: 'crm:write',
    summary: 'Link a response with a contact',
    description:
      'With the contact that is named, in whose timeline it is noted; a contact that it had before keeps its note. Without one, what the submission could not is tried again, by the settings of now: a response that has a contact stays as it is. Where the CRM refuses again, `crm.status` is `failed`, with the code in `crm.error`; without an e-mail address among the answers it is `none`.',
    params: ofResponse.params,
    body: CrmLinkInput.optional(),
    reply: ResponseReply,
    raises: ['unknown_reference', 'response_is_spam', 'crm_link_off'],
    handle: async ({ params, body }, work) => ({
      response: await linkResponse(work, params.id, params.response_id, body?.contact_id ?? null),
    }),
  }),
];
