import { z } from 'zod';
import { alreadyExists, refusesBy } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { Failure } from '../../kernel/failure.ts';
import { email, id, text, timestamp } from '../../kernel/schema.ts';

const reason = text(200).describe('Why it must never be mailed again.');

/** An address that must never be mailed again, as the API shows it. */
export const Suppression = z
  .strictObject({
    id: id('supp'),
    object: z.literal('mail.suppression'),
    email: email().nullable().describe('null once its contact was erased: a hash goes on telling it.'),
    reason: reason.meta({ examples: ['unsubscribed'] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Suppression' });

export type Suppression = z.output<typeof Suppression>;

/** What a suppression is made from. */
export const SuppressionInput = z
  .strictObject({
    email: email(),
    reason: reason.default('admin').meta({ examples: ['電話で配信停止の依頼'] }),
  })
  .meta({ id: 'SuppressionInput' });

export type SuppressionInput = z.output<typeof SuppressionInput>;

export class SuppressionModel extends TenantModel {
  static override tableName = 'suppressions';
}

export const suppressionFacts = factsOf({ domain: 'mail', entity_type: 'suppression', masked: ['email'] });

/** An address that is suppressed already: 409 that names the suppression. */
export function alreadySuppressed(suppression_id: string): Failure {
  const message = {
    en: `${suppression_id} suppresses this e-mail`,
    ja: `このメールアドレスは ${suppression_id} により配信停止です`,
  };
  return new Failure('already_exists', {
    detail: message,
    errors: [{ in: 'body', path: '/email', code: 'already_exists', message }],
    members: { suppression_id },
  });
}

refusesBy('suppressions_email_once', () =>
  alreadyExists('/email', { en: 'This e-mail is suppressed', ja: 'このメールアドレスは配信停止です' }),
);
