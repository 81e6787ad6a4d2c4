import { z } from 'zod';
import { REGISTRATION_NUMBER, Warning } from '../../crm/corporate-number.ts';
import { PaymentTerms } from '../../crm/payment-terms.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { email, freeText, id, text, timestamp, timeZone } from '../../kernel/schema.ts';
import { documentKinds, writtenKinds } from '../documents/kinds.ts';
import { numberResets } from '../number-pattern.ts';
import { taxRoundings } from '../tax/rounding.ts';
import { BankAccount } from './bank-account.ts';
import { isTemplate, placeholders } from './email-templates.ts';

/** An image of the letterhead, by the SHA-256 of its bytes; sizes in pixels. */
export const SettingsImage = z
  .strictObject({
    sha256: z
      .string()
      .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
    width: z.int().meta({ examples: [480] }),
    height: z.int().meta({ examples: [160] }),
  })
  .meta({ id: 'InvoiceSettingsImage' });

export type SettingsImage = z.output<typeof SettingsImage>;

const Numbering = z
  .strictObject({
    pattern: text(60)
      .describe('Of {YYYY}, {YY}, {MM} and one {SEQ:n}; names of files have - for its /.')
      .meta({ examples: ['INV-{YYYY}-{SEQ:4}'] }),
    reset: z.enum(numberResets).describe('When the numbers begin again.'),
    assign_on: z.enum(['create', 'issue']).describe('When a document gets its number.'),
  })
  .meta({ id: 'DocumentNumbering' });

export type DocumentNumbering = z.output<typeof Numbering>;

const known = placeholders.map((name) => `{{${name}}}`).join(', ');

/** Text with places; a place that nothing fills in would be mailed to customers as it stands. */
const template = (schema: z.ZodString) =>
  schema.refine(isTemplate, {
    params: { code: 'unknown_placeholder' },
    error: says({
      en: `may have ${known} in it, and no other double braces`,
      ja: `で使える二重の波括弧は ${known} だけです`,
    }),
  });

const EmailTemplate = z
  .strictObject({
    subject: template(text(200))
      .describe('Sent in one line, whatever stands in it.')
      .meta({ examples: ['請求書 {{number}} をお送りします'] }),
    message: template(freeText(10_000)).meta({
      examples: ['{{company_name}}\n\nご請求金額は {{total}}、お支払期限は {{due_date}} です。'],
    }),
  })
  .meta({ id: 'DocumentEmailTemplate' });

export type DocumentEmailTemplate = z.output<typeof EmailTemplate>;

function ofKinds<Kind extends string, Schema extends z.ZodType>(kinds: readonly Kind[], schema: Schema) {
  return z.strictObject(Object.fromEntries(kinds.map((kind) => [kind, schema])) as Record<Kind, Schema>);
}

const memo = () =>
  freeText(10_000)
    .nullable()
    .meta({ examples: ['振込手数料はご負担ください。'] });

/** The fields that callers write and that stand alone. */
const fields = {
  issuer_name: text(200)
    .nullable()
    .describe("What documents name as their issuer; null means the organization's name.")
    .meta({ examples: ['山田商事株式会社'] }),
  issuer_detail: freeText(10_000)
    .nullable()
    .describe('Address, telephone and what else stands below the name.')
    .meta({ examples: ['〒100-0001 東京都千代田区千代田1-1\nTEL 03-1234-5678'] }),
  issuer_registration_number: z
    .string()
    .regex(
      REGISTRATION_NUMBER,
      says({ en: 'must be T and 13 digits', ja: 'はTと13桁の数字で入力してください' }),
    )
    .nullable()
    .describe('適格請求書発行事業者の登録番号: with it, approved invoices are checked to be qualified ones.')
    .meta({ examples: ['T7000012050002'] }),
  bank_account: BankAccount.nullable(),
  time_zone: timeZone().describe('Where "today" is.'),
  fiscal_year_start_month: z.int().min(1).max(12),
  default_tax_display_mode: z.enum(['exclusive', 'inclusive']),
  default_tax_rounding: z.enum(taxRoundings),
  default_due: PaymentTerms.describe('For companies without payment terms of their own.'),
  reply_to: email().nullable().describe('Where answers to mails with documents go.'),
  window_envelope: z
    .enum(['none', 'left', 'right'])
    .describe('Where the address stands for a window envelope.'),
  approval_required: z.boolean().describe('Whether an invoice has to be approved before it is sent.'),
  locale: z.enum(['ja', 'en']).describe('The language of documents and their mails.'),
};

/** The settings of invoicing, as the API shows them: one an organization, whose ID they carry. */
export const InvoiceSettings = z
  .strictObject({
    id: id('org'),
    object: z.literal('invoicing.invoice_settings'),
    ...fields,
    logo: SettingsImage.nullable(),
    seal: SettingsImage.nullable(),
    memo_templates: ofKinds(writtenKinds, memo()),
    email_templates: ofKinds(documentKinds, EmailTemplate),
    numbering: ofKinds(documentKinds, Numbering),
    warnings: z
      .array(Warning)
      .describe('What is odd about the settings, though they were accepted.')
      .meta({ examples: [[]] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'InvoiceSettings' });

export type InvoiceSettings = z.output<typeof InvoiceSettings>;

/**
 * What a change of the settings may hold: fields that are not sent stay, also those of a template or a numbering;
 * `null` brings a template's standard text back.
 */
export const InvoiceSettingsPatch = z
  .strictObject({
    ...fields,
    memo_templates: ofKinds(writtenKinds, memo()).partial(),
    email_templates: ofKinds(
      documentKinds,
      z
        .strictObject({
          subject: EmailTemplate.shape.subject.nullable(),
          message: EmailTemplate.shape.message.nullable(),
        })
        .partial(),
    ).partial(),
    numbering: ofKinds(documentKinds, Numbering.partial()).partial(),
  })
  .partial()
  .meta({ id: 'InvoiceSettingsPatch' });

export type InvoiceSettingsPatch = z.output<typeof InvoiceSettingsPatch>;

export const invoiceSettingsFacts = factsOf({
  domain: 'invoicing',
  entity_type: 'invoice_settings',
  computed: ['warnings'],
});
