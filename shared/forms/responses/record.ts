import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { type Fact, factsOf } from '../../kernel/fact.ts';
import { textsByName, valuesByName } from '../../kernel/open-objects.ts';
import { freeText, id, timestamp } from '../../kernel/schema.ts';
import { ResponseFile } from '../files/record.ts';
import { spamReasons } from '../spam/signs.ts';
import { crmStatuses, responseSources, responseStatuses } from './words.ts';

/** What became of a response in the CRM. */
export const ResponseCrm = z
  .strictObject({
    status: z.enum(crmStatuses),
    contact_id: id('cont')
      .nullable()
      .meta({ examples: [null] }),
    company_id: id('comp')
      .nullable()
      .meta({ examples: [null] }),
    error: z
      .string()
      .nullable()
      .describe('The code of the failure for which the CRM refused; null otherwise.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'FormResponseCrm' });

export type ResponseCrm = z.output<typeof ResponseCrm>;

/** A note of the staff. */
const note = () => freeText(2_000).meta({ examples: ['折り返し電話済み'] });

/** A response, as the API shows it to staff. `data` is what the validator stored, by the IDs of the fields. */
export const FormResponse = z
  .strictObject({
    id: id('resp'),
    object: z.literal('forms.response'),
    form_id: id('form'),
    form_version: z
      .int()
      .describe('The number of the version that it was given to.')
      .meta({ examples: [1] }),
    data: valuesByName()
      .describe('The answers by the IDs of their fields; a field without an answer is not there.')
      .meta({ examples: [{ kind: 'repair', seats: '12' }] }),
    hidden: textsByName()
      .describe('The values that came with the address of the page.')
      .meta({ examples: [{ campaign: 'spring' }] }),
    scores: textsByName()
      .describe('Exact decimals by the names of the scores.')
      .meta({ examples: [{ fit: '7.5' }] }),
    dropped_fields: z
      .array(z.string())
      .describe('Fields that were answered and not shown: their answers are not kept.')
      .meta({ examples: [['model']] }),
    ending_id: z
      .string()
      .nullable()
      .describe('The ending that was reached; null for the built-in one.')
      .meta({ examples: ['thanks'] }),
    locale: z.enum(['ja', 'en']),
    source: z.enum(responseSources),
    invitation_id: id('finv')
      .nullable()
      .meta({ examples: [null] }),
    is_spam: z.boolean().meta({ examples: [false] }),
    spam_reasons: z.array(z.enum(spamReasons)).describe('Why it was flagged.'),
    status: z.enum(responseStatuses),
    assignee_id: id('usr').nullable().describe('The member who takes care of it.'),
    files: z.array(ResponseFile),
    crm: ResponseCrm,
    note: note().nullable().describe('For the staff alone.'),
    seconds_to_submit: z
      .int()
      .nullable()
      .describe('Seconds from the first issue of its form token; null with credentials.')
      .meta({ examples: [94] }),
    submitted_at: timestamp(),
    edited_at: timestamp()
      .nullable()
      .describe('When its sender last changed the answers.')
      .meta({ examples: [null] }),
    updated_at: timestamp(),
  })
  .meta({ id: 'FormResponse' });

export type FormResponse = z.output<typeof FormResponse>;

/** What staff may change of a response; fields left out stay as they are. */
export const ResponsePatch = z
  .strictObject({
    is_spam: z
      .boolean()
      .describe('`false` makes up for all that spam does not get: quota, event, mails and CRM link.')
      .meta({ examples: [false] }),
    note: note().nullable(),
    status: z.enum(responseStatuses),
    assignee_id: id('usr').nullable(),
  })
  .partial()
  .meta({ id: 'FormResponsePatch' });

export type ResponsePatch = z.output<typeof ResponsePatch>;

/** The table. Beside the API's fields it holds hashes, and what search is made from. */
export class ResponseModel extends TenantModel {
  static override tableName = 'forms_responses';
  static override jsonAttributes = ['data', 'hidden', 'scores', 'dropped_fields', 'spam_reasons'];
}

/** Audit entries name what changed and never tell an answer: a person may ask to be forgotten. */
const family = {
  domain: 'forms',
  entity_type: 'response',
  masked: ['data', 'hidden', 'scores', 'dropped_fields', 'files', 'note'],
} as const;

/** What can happen to a response. Only a submission that is no spam has an event; an edit has none. */
export const responseFacts = factsOf({ ...family, events: { created: 'forms.response.submitted' } });

/** A submission that was flagged as spam. */
export const flaggedFact: Fact = { ...responseFacts.created, event: null };

/** A flagged response turned out to be none, so that its event is emitted now. */
export const unflaggedFact: Fact = { ...responseFacts.updated, event: 'forms.response.submitted' };
