import { z } from 'zod';
import { PaymentTerms } from '../../crm/payment-terms.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { id, timestamp } from '../../kernel/schema.ts';

const percent = () =>
  z
    .int()
    .min(0)
    .max(100)
    .meta({ examples: [5] });

const MatchTolerance = z
  .strictObject({ quantity_percent: percent(), price_percent: percent() })
  .meta({ id: 'MatchTolerance' });

/** The fields that callers write. */
const fields = {
  four_eyes: z.boolean().describe('Whether who made an invoice may not approve it.'),
  match_policy: z
    .enum(['warn', 'block'])
    .describe('Whether an invoice that does not agree with its order can be approved without more.'),
  match_tolerance: MatchTolerance.describe('How far an invoice may be above its order, in percent.'),
  small_amount_rule: z
    .boolean()
    .describe('Whether the books alone suffice below 10,000 yen, as for small businesses until 2029-09-30.'),
  retention_years: z
    .int()
    .min(7)
    .max(30)
    .describe('Years that documents are kept. More years hold for all, fewer for later ones.')
    .meta({ examples: [10] }),
  default_due: PaymentTerms.describe('For companies without payment terms of their own.'),
};

/** The settings of received documents, as the API shows them: one an organization, whose ID they carry. */
export const ReceiveSettings = z
  .strictObject({
    id: id('org'),
    object: z.literal('received.receive_settings'),
    ...fields,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ReceiveSettings' });

export type ReceiveSettings = z.output<typeof ReceiveSettings>;

/** What a change of the settings may hold; of the tolerance the part that is sent changes. */
export const ReceiveSettingsPatch = z
  .strictObject({ ...fields, match_tolerance: MatchTolerance.partial() })
  .partial()
  .meta({ id: 'ReceiveSettingsPatch' });

export type ReceiveSettingsPatch = z.output<typeof ReceiveSettingsPatch>;

export class ReceiveSettingsModel extends TenantModel {
  static override tableName = 'received_settings';
  static override jsonAttributes = ['match_tolerance', 'default_due'];
}

export const receiveSettingsFacts = factsOf({ domain: 'received', entity_type: 'receive_settings' });
