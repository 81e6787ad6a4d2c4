import { z } from 'zod';
import { refusesBy, uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { Failure } from '../../kernel/failure.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { computed, computedIn, day, freeText, id, text, timestamp } from '../../kernel/schema.ts';
import { accountCode } from '../accounts/record.ts';
import { taxCategory } from '../tax/category-field.ts';
import { journalKinds, journalStatuses, sourceTypes, writtenKinds } from './kinds.ts';
import { LineInput } from './line-input.ts';
import { journalActions } from './transitions.ts';

/** Lines that an entry may be written with. */
export const MOST_LINES = 500;

const description = () =>
  freeText(500)
    .nullable()
    .meta({ examples: ['4月分家賃'] });

/** One side of an entry, as the API shows it. Amounts are whole yen. */
export const JournalLine = z
  .strictObject({
    id: id('jel'),
    line: z.int().describe('Its place in the entry, from 1.'),
    account_id: id('acc'),
    account_code: accountCode(),
    account_name: z.string().meta({ examples: ['普通預金'] }),
    debit: z.int().meta({ examples: [11_000] }),
    credit: z.int().meta({ examples: [0] }),
    tax_category: taxCategory(),
    is_tax: z.boolean().describe('Whether it is booked on one of the two accounts of consumption tax.'),
    company_id: id('comp').nullable(),
    department_id: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    description: description(),
  })
  .meta({ id: 'JournalLine' });

export type JournalLine = z.output<typeof JournalLine>;

const JournalWarning = z
  .strictObject({
    path: z.string().meta({ examples: ['/lines/0/tax_category'] }),
    code: z.string().meta({ examples: ['tax_category_not_in_force'] }),
    message: z.string().meta({ examples: ['P10T50 is not in force on 2026-04-01'] }),
  })
  .meta({ id: 'JournalWarning' });

const by = () => id('usr').nullable();
const at = () => timestamp().nullable();

/** An entry, as the API shows one. */
export const Journal = z
  .strictObject({
    id: id('je'),
    object: z.literal('accounting.journal'),
    number: z.int().nullable().describe('From 1 in each fiscal year, in the order of posting; null before.'),
    fiscal_year_id: id('fy'),
    date: day(),
    description: description(),
    kind: z.enum(journalKinds),
    status: z.enum(journalStatuses),
    reference: text(100)
      .nullable()
      .meta({ examples: ['R-2026-04'] }),
    ...ownKeys,
    source: z
      .strictObject({
        type: z.enum(sourceTypes),
        id: z.string().meta({ examples: ['inv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
      })
      .nullable()
      .describe('The record that it was made from.'),
    reverses: id('je').nullable().describe('The entry that it takes back.'),
    reversed_by: id('je').nullable(),
    document_ids: computed(z.array(id('adoc'))).describe('The evidence that is linked to it.'),
    lines: z.array(JournalLine),
    total: z.int().describe('The sum of the debits.'),
    round: z.int().describe('How often it was submitted.'),
    retention_until: computed(day()).meta({ examples: ['2037-05-31'] }),
    days_late: z.int().nullable().describe('Days from its date to the day of its posting.'),
    warnings: computed(z.array(JournalWarning)),
    available_actions: computed(z.array(z.enum(journalActions))).describe(
      'What the caller can do to it now.',
    ),
    void_reason: z
      .string()
      .nullable()
      .meta({ examples: ['金額の誤り'] }),
    created_by: by(),
    submitted_by: by(),
    submitted_at: at(),
    approved_by: by(),
    approved_at: at(),
    posted_by: by(),
    posted_at: at(),
    voided_by: by(),
    voided_at: at(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Journal' });

export type Journal = z.output<typeof Journal>;

const fields = {
  date: day(),
  description: description(),
  kind: z.enum(writtenKinds).describe('`normal` unless said.'),
  reference: text(100).nullable(),
  lines: z
    .array(LineInput)
    .min(2)
    .max(MOST_LINES)
    .meta({
      examples: [
        [
          { account_code: '6340', debit: 10_000 },
          { account_code: '1140', credit: 10_000 },
        ],
      ],
    }),
  ...ownKeysInput,
};

const documentIds = () => z.array(id('adoc')).max(100);

/** What a new entry is made from. */
export const JournalInput = z
  .strictObject({
    ...fields,
    document_ids: documentIds().describe(
      'Evidence that the new entry is linked to; a posted one is linked by calls of `/accounting/documents`.',
    ),
    post: z.boolean().describe('true posts the entry in the same commit.'),
  })
  .partial()
  .required({ date: true, lines: true })
  .meta({ id: 'JournalInput' });

export type JournalInput = z.output<typeof JournalInput>;

/** What a change of an entry may hold; `lines` replaces all of them. */
export const JournalPatch = z
  .strictObject({
    ...fields,
    document_ids: documentIds().describe('Replaces the links of an unposted entry.'),
  })
  .partial()
  .meta({ id: 'JournalPatch' });

export type JournalPatch = z.output<typeof JournalPatch>;

/** A step of an approval, as the API shows it. */
export const JournalApproval = z
  .strictObject({
    id: id('appr'),
    object: z.literal('accounting.approval'),
    journal_id: id('je'),
    round: z.int(),
    action: z.enum(['submit', 'approve', 'reject', 'withdraw']),
    user_id: by(),
    comment: z
      .string()
      .nullable()
      .meta({ examples: ['領収書を確認しました'] }),
    created_at: timestamp(),
  })
  .meta({ id: 'JournalApproval' });

export type JournalApproval = z.output<typeof JournalApproval>;

export class JournalModel extends TenantModel {
  static override tableName = 'accounting_journals';
  static override jsonAttributes = ['metadata'];
}

export class LineModel extends TenantModel {
  static override tableName = 'accounting_lines';
}

export class ApprovalModel extends TenantModel {
  static override tableName = 'accounting_approvals';
}

/** What entries are looked up by. */
export const journalKind = recordKind({ table: JournalModel.tableName, prefix: 'je' });

export const journalFacts = factsOf({
  domain: 'accounting',
  entity_type: 'journal',
  computed: computedIn(Journal),
  untold: ['days_late', 'total'],
  largest: 'lines',
});

uniqueKey('accounting_journals_external_id_once', {
  table: JournalModel.tableName,
  read_by: 'accounting:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another entry has this external_id',
    ja: 'この external_id はほかの仕訳が使っています',
  },
});
refusesBy('accounting_journals_source_once', () => new Failure('has_journal'));
refusesBy('accounting_months_most', () => {
  const message = {
    en: 'The sums of an account in a month would have more than 15 digits',
    ja: '勘定科目の月間合計が15桁を超えます',
  };
  return new Failure('amount_too_large', {
    detail: message,
    errors: [{ in: 'body', path: '/lines', code: 'amount_too_large', message }],
  });
});

/** The body of a submit, which may be left out. */
export const JournalSubmission = z.strictObject({ comment: freeText(1_000).nullable().optional() });

/** The body of an approval, which may be left out. */
export const JournalDecision = JournalSubmission.extend({
  action: z.enum(['approve', 'reject']).default('approve'),
});
