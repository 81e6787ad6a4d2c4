import { z } from 'zod';
import type { Prefix } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ImportDomain, ImportRun } from '../../platform/imports/domain.ts';
import { commonOptions } from '../../platform/imports/options.ts';
import { type CustomFieldKind, labelledRules } from '../custom-fields/queries.ts';
import { companyFields } from './companies/fields.ts';
import { companiesOf } from './companies/records.ts';
import { companyReverter, removeCompanies } from './companies/revert.ts';
import { contactFields } from './contacts/fields.ts';
import { contactsIn } from './contacts/records.ts';
import { contactReverter } from './contacts/revert.ts';
import { customColumns } from './custom-columns.ts';
import { dealFields } from './deals/fields.ts';
import { dealsIn } from './deals/records.ts';
import { dealReverter } from './deals/revert.ts';
import type { RecordField } from './field.ts';
import { mergeRows, type OpenRecords } from './merge.ts';
import { withMembers } from './owner-columns.ts';
import { type Reverter, revertRows } from './revert.ts';

/** Rows of one transaction: a second or less, so that a pause takes effect soon. */
const CHUNK_ROWS = 1_000;

/** What chunks of every kind look up or refer to, and fill. */
const TABLES = [
  'crm_companies',
  'crm_contacts',
  'crm_deals',
  'crm_deal_contacts',
  'crm_tag_assignments',
  'import_outcomes',
];

const matchBy = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  z
    .enum(names as unknown as [Names[number], ...Names[number][]])
    .default('external_id' as Names[number])
    .describe(
      'What a row finds its record by, where no `id` of an export tells it; a row without makes a new one.',
    );

const createMissing = z
  .boolean()
  .default(false)
  .describe('Makes a company that a row names and nobody knows; else that is a fault of the row.');

/** What an import of companies takes. */
export const CompanyImportOptions = z.strictObject({
  ...commonOptions,
  match_by: matchBy('external_id', 'corporate_number'),
});

/** What an import of contacts takes. */
export const ContactImportOptions = z.strictObject({
  ...commonOptions,
  match_by: matchBy('external_id', 'email'),
  create_missing: createMissing,
});

/** What an import of deals takes. */
export const DealImportOptions = z.strictObject({
  ...commonOptions,
  match_by: matchBy('external_id'),
  create_missing: createMissing,
});

type Options = z.output<typeof CompanyImportOptions | typeof ContactImportOptions | typeof DealImportOptions>;

type Configured<Own extends Options> = {
  kind: CustomFieldKind;
  prefix: Prefix;
  plural: string;
  title: Text;
  options: z.ZodType<Own>;
  fields: readonly RecordField[];
  /** The fields that no two records have alike: a row that has one makes no second record. */
  unique: readonly string[];
  open(options: Own): OpenRecords;
  reverter: Reverter;
};

function importOf<Own extends Options>(configured: Configured<Own>): ImportDomain<Own> {
  const { kind, prefix, plural, title, options, fields, unique, open, reverter } = configured;
  const allFields = async (reader: Reader) => [
    ...(await withMembers(reader, fields)),
    ...customColumns(await labelledRules(reader, kind)),
  ];
  return {
    kind: `crm.${plural}`,
    title,
    prefix: 'imp',
    domain: 'crm',
    scope: 'crm:write',
    options,
    check: async (_, options) => options,
    fields: allFields,
    exported: { prefix, columns: fields.map(({ name }) => name) },
    makesAnew: (rows, { match_by }) => {
      const keys = ['id', ...unique, match_by];
      return rows.some(({ is_readable, cell }) => is_readable && keys.every((key) => cell(key) === ''));
    },
    async open(reader, run) {
      const targets = new Map((await allFields(reader)).map(({ name, target }) => [name, target]));
      const merging = { ...mergeRun(run), targets };
      const openRecords = open(run.options);
      return {
        chunk_rows: CHUNK_ROWS,
        judges_faulty: true,
        merge: (work, _, rows) => mergeRows(work, merging, rows, openRecords),
        lookedUp: () => TABLES,
        filled: () => TABLES,
      };
    },
    revert: (work, run, after, { references }) =>
      revertRows(work, run, after, { reverter, companies: removeCompanies, references }),
  };
}

function mergeRun({ import_id, on_conflict, dry_run, options }: ImportRun<Options>) {
  return { import_id, on_conflict, dry_run, match_by: options.match_by };
}

export const companyImport = importOf({
  kind: 'company',
  prefix: 'comp',
  plural: 'companies',
  title: { en: 'Companies', ja: '会社' },
  options: CompanyImportOptions,
  fields: companyFields,
  unique: ['external_id', 'corporate_number'],
  open:
    ({ match_by }) =>
    (work, rows) =>
      companiesOf(work, rows, match_by),
  reverter: companyReverter,
});

export const contactImport = importOf({
  kind: 'contact',
  prefix: 'cont',
  plural: 'contacts',
  title: { en: 'Contacts', ja: '担当者' },
  options: ContactImportOptions,
  fields: contactFields,
  unique: ['external_id'],
  open: (options) => (work, rows) => contactsIn(work, rows, options),
  reverter: contactReverter,
});

export const dealImport = importOf({
  kind: 'deal',
  prefix: 'deal',
  plural: 'deals',
  title: { en: 'Deals', ja: '案件' },
  options: DealImportOptions,
  fields: dealFields,
  unique: ['external_id'],
  open: (options) => (work, rows) => dealsIn(work, rows, options),
  reverter: dealReverter,
});

/** The three kinds of record of the CRM that can be imported. */
export const crmImports: readonly ImportDomain[] = [companyImport, contactImport, dealImport];
