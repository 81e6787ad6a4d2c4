import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { email, id, text, timestamp } from '../../kernel/schema.ts';

export const optInStatuses = ['pending', 'confirmed', 'expired'] as const;

export type OptInStatus = (typeof optInStatuses)[number];

const locale = z.enum(['ja', 'en']);

const fields = {
  email: email(),
  list_id: id('mlist').describe('The list that the person joins by confirming.'),
  first_name: text(100)
    .nullable()
    .meta({ examples: ['花子'] }),
  last_name: text(100)
    .nullable()
    .meta({ examples: ['山田'] }),
  text: text(10_000)
    .nullable()
    .describe('The words that were agreed to, as they were shown.')
    .meta({ examples: ['お知らせの配信に同意します'] }),
  source: text(500)
    .nullable()
    .describe('Where it was asked for.')
    .meta({ examples: ['展示会の申込書'] }),
  locale,
};

/** What somebody is asked to confirm by a mail, as the API shows it. */
export const OptIn = z
  .strictObject({
    id: id('mopt'),
    object: z.literal('mail.opt_in'),
    ...fields,
    status: z.enum(optInStatuses),
    confirmed_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
    expires_at: timestamp().describe('Until when its link works: seven days.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'MailOptIn' });

export type OptIn = z.output<typeof OptIn>;

/** What an opt-in is asked for with. */
export const OptInInput = z
  .strictObject({ ...fields, locale: locale.default('ja') })
  .partial({ first_name: true, last_name: true, text: true, source: true })
  .meta({ id: 'MailOptInInput' });

export type OptInInput = z.output<typeof OptInInput>;

/** The table. Whether a mail left is not shown: the answer is alike for every address. */
export class OptInModel extends TenantModel {
  static override tableName = 'mail_opt_ins';
}

export const optInFacts = factsOf({
  domain: 'mail',
  entity_type: 'opt_in',
  computed: ['status'],
  masked: ['email', 'first_name', 'last_name'],
});
