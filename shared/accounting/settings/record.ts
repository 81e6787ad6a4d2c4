import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import { AccountMap, AccountMapPatch } from './account-map.ts';

export const autoJournals = ['off', 'draft', 'post'] as const;

const approval = {
  required: z.boolean().describe('Whether entries are posted after an approval alone.'),
  four_eyes: z
    .boolean()
    .describe('Whether who wrote, changed or submitted an entry is refused as its approver.'),
  user_ids: z
    .array(id('usr'))
    .max(100)
    .describe('Who may approve, beside holding `approvals:write`; none: all who hold it.'),
};

/** The settings of accounting, as the API shows them. */
export const AccountingSettings = z
  .strictObject({
    id: id('org'),
    object: z.literal('accounting.settings'),
    approval: z.strictObject(approval),
    auto_journal: z
      .enum(autoJournals)
      .describe(
        'What invoices, received invoices, their payments and credit notes make: nothing, drafts, or posted entries.',
      ),
    account_map: AccountMap,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'AccountingSettings' });

export type AccountingSettings = z.output<typeof AccountingSettings>;

/** What a change of the settings may hold; of `approval` and `account_map` the places that are sent change. */
export const AccountingSettingsPatch = z
  .strictObject({
    approval: z.strictObject(approval).partial(),
    auto_journal: z.enum(autoJournals),
    account_map: AccountMapPatch,
  })
  .partial()
  .meta({ id: 'AccountingSettingsPatch' });

export type AccountingSettingsPatch = z.output<typeof AccountingSettingsPatch>;

export const accountingSettingsFacts = factsOf({ domain: 'accounting', entity_type: 'settings' });
