import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { domains } from '../../shared/domains.ts';
import { domainsBelow } from './floors.ts';
import { imports, product, textOf } from './imports.ts';

const names: readonly string[] = domains.map(({ name }) => name);

/** The domain whose folders hold a file, or null. */
function domainOf(file: string): string | null {
  const [, area, name = ''] = /^(shared|api|workers)\/([\w-]+)\//.exec(file) ?? [];
  return area && names.includes(name) ? name : null;
}

/** The lists that name every domain: each has one line for it. */
const LISTS = ['shared/domains.ts', 'api/endpoints.ts', 'api/pages/guests.ts', 'workers/handlers.ts'];

/**
 * Files beside the domains' folders that import from them, each with its reason. The demonstration is a user of the
 * service: it calls operations as a client of the API would call endpoints. The start makes the key of seals, and the doctor
 * opens it. The paper is that of invoicing's documents,
 * the documentation shows the tables of transitions.
 */
const OUTSIDE =
  /^start\/(?:demo\/records|run|doctor\/(?:seals|surroundings))\.ts$|^workers\/pdf\/|^api\/pages\/docs\/transitions\.ts$/;

/** What domains above it import from a domain: its operations, queries, rules and the fields of its records. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  accounting: [
    'documents/retention.ts',
    'journals/calendar.ts',
    'sources/booking.ts',
    'sources/source.ts',
    'sources/from-document.ts',
    'sources/keep.ts',
    'sources/owed.ts',
    'sources/record.ts',
    'sources/sales-categories.ts',
    'years/queries.ts',
    'years/record.ts',
  ],
  attendance: ['days-off.ts', 'departments/of-person.ts', 'leave/names.ts'],
  crm: [
    'aliases.ts',
    'companies/customer.ts',
    'companies/in-files.ts',
    'companies/names.ts',
    'contacts/linked.ts',
    'contacts/record.ts',
    'contacts/take-in.ts',
    'corporate-number.ts',
    'custom-fields/queries.ts',
    'names.ts',
    'payment-terms.ts',
  ],
  invoicing: [
    'booked.ts',
    'convert/invoice.ts',
    'dashboard/period.ts',
    'documents/company.ts',
    'documents/context.ts',
    'documents/copy.ts',
    'documents/create.ts',
    'documents/draft.ts',
    'documents/due.ts',
    'documents/fields.ts',
    'documents/line.ts',
    'documents/record.ts',
    'documents/rows.ts',
    'documents/shape.ts',
    'documents/shown.ts',
    'documents/totals.ts',
    'due-date.ts',
    'images/reencode.ts',
    'payments/day.ts',
    'payments/record.ts',
    'settings/bank-account.ts',
    'settings/queries.ts',
    'tax/breakdown.ts',
    'tax/rates.ts',
    'tax/rounding.ts',
    'tax/totals.ts',
    'tax/withholding.ts',
    'transitions/lock-for.ts',
  ],
  mail: ['email-key.ts', 'opt-ins/request.ts'],
};

describe('a domain', () => {
  const foreign = imports.filter(({ from, to }) => domainOf(to) !== null && domainOf(from) !== domainOf(to));

  test('is imported by the lists of the domains and by the domains above it alone', () => {
    const others = foreign.filter(({ from, to }) => {
      const below = domainsBelow[domainOf(from) ?? ''] ?? [];
      return !LISTS.includes(from) && !OUTSIDE.test(from) && !below.includes(domainOf(to)!);
    });
    assert.deepEqual(
      others.map(({ from, to }) => `${from} -> ${to}`),
      [],
    );
  });

  test('has one line in the list of domains, and one in that of endpoints', () => {
    for (const name of names) {
      const of = (list: string) =>
        foreign.filter(({ from, to }) => from === list && domainOf(to) === name).map(({ to }) => to);
      assert.deepEqual(of('shared/domains.ts'), [`shared/${name}/domain.ts`]);
      assert.deepEqual(of('api/endpoints.ts'), [`api/${name}/endpoints.ts`]);
      assert.deepEqual(
        of('workers/handlers.ts').filter((file) => file !== `workers/${name}/handlers.ts`),
        [],
      );
    }
  });

  test('is entered by its doors, which are listed here', () => {
    const entered = foreign.filter(({ from, to }) => from.startsWith('shared/') && to.startsWith('shared/'));
    const past = entered.filter(({ from, to }) => {
      const [, , ...path] = to.split('/');
      return !LISTS.includes(from) && !DOORS[domainOf(to)!]?.includes(path.join('/'));
    });
    assert.deepEqual(
      past.map(({ from, to }) => `${from} -> ${to}`),
      [],
    );
  });

  test('loads nothing that only workers or HTTP need', () => {
    const next = Map.groupBy(
      imports.filter(({ isType }) => !isType),
      ({ from }) => from,
    );
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const { to } of next.get(file) ?? []) load(to);
    };
    load('shared/domains.ts');
    assert.ok(loaded.has('zod'));
    const heavy = [...loaded].filter((each) => /^(bullmq|ioredis|puppeteer|sharp|@?koa|@aws-sdk)/.test(each));
    assert.deepEqual(heavy, []);
  });
});

const tables = product
  .filter((file) => file.startsWith('migrations/'))
  .flatMap((file) => [...textOf(file).matchAll(/CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/g)])
  .map(([, table]) => table!);

/** Tables that are not called after their domain, or only look so. */
const NAMED_OTHERWISE: Readonly<Record<string, string | null>> = {
  suppressions: 'mail',
  mail_allowances: null,
};

function ownerOf(table: string): string | null {
  if (table in NAMED_OTHERWISE) return NAMED_OTHERWISE[table]!;
  return names.find((name) => table.startsWith(`${name}_`)) ?? null;
}

/** The tables of other domains that a file may read, or name as what its rows refer to. */
const MAY_READ: Readonly<Record<string, readonly string[]>> = {
  'shared/accounting/documents/links.ts': ['crm_companies'],
  'shared/accounting/journals/links.ts': ['crm_companies'],
  'shared/cloud/access/departments.ts': ['attendance_departments'],
  'shared/cloud/links/types.ts': [
    'accounting_documents',
    'accounting_journals',
    'crm_companies',
    'crm_contacts',
    'crm_deals',
    'invoicing_documents',
    'received_documents',
    'sign_documents',
  ],
  'shared/forms/settings/references.ts': ['crm_tags', 'mail_lists'],
  'shared/forms/crm/references.ts': ['crm_companies', 'crm_contacts'],
  'shared/invoicing/ageing/report.ts': ['crm_companies'],
  'shared/invoicing/dashboard/queries.ts': ['crm_companies'],
  'shared/invoicing/deposits/links.ts': ['crm_companies'],
  'shared/invoicing/deposits/operations.ts': ['crm_companies'],
  'shared/invoicing/deposits/suggestions/queries.ts': ['crm_companies'],
  'shared/invoicing/deposits/timeline.ts': ['crm_aliases', 'crm_companies'],
  'shared/invoicing/documents/change.ts': ['crm_contacts'],
  'shared/invoicing/documents/company.ts': ['crm_companies'],
  'shared/invoicing/documents/create.ts': ['crm_contacts'],
  'shared/invoicing/documents/links.ts': ['crm_companies', 'crm_contacts'],
  'shared/invoicing/documents/timeline.ts': ['crm_aliases', 'crm_companies', 'crm_contacts'],
  'shared/invoicing/emails/recipients.ts': ['crm_companies', 'crm_contacts'],
  'shared/invoicing/exports/company-name.ts': ['crm_companies'],
  'shared/invoicing/imports/known.ts': ['crm_contacts'],
  'shared/invoicing/imports/merge.ts': ['crm_companies'],
  'shared/invoicing/print/print-for.ts': ['crm_contacts'],
  'shared/mail/contacts/queries.ts': ['crm_contacts'],
  'shared/mail/timeline.ts': ['crm_aliases', 'crm_contacts'],
  'shared/received/dashboard/queries.ts': ['crm_companies'],
  'shared/received/documents/file-warnings.ts': ['accounting_document_versions'],
  'shared/received/documents/filters.ts': ['accounting_journals'],
  'shared/received/documents/linked.ts': ['accounting_journals', 'invoicing_links'],
  'shared/received/documents/links.ts': ['crm_companies'],
  'shared/received/documents/queries.ts': ['accounting_journals'],
  'shared/received/documents/references.ts': [
    'accounting_accounts',
    'invoicing_documents',
    'invoicing_lines',
  ],
  'shared/received/evidence/source.ts': ['accounting_journals'],
  'shared/received/timeline.ts': ['crm_aliases', 'crm_companies'],
  'shared/sign/documents/companies.ts': ['crm_companies'],
};

/** The tables of other domains that a file names: quoted, or behind a word of SQL. */
function foreignTables(file: string, words: string): string[] {
  const text = textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return tables
    .filter((table) => ownerOf(table) !== null && ownerOf(table) !== domainOf(file))
    .filter((table) => new RegExp(`(?:${words})"?${table}\\b`).test(text))
    .sort();
}

describe('the tables of a domain', () => {
  const outside = product.filter((file) => !file.startsWith('migrations/'));

  test('are found in the migrations', () => {
    for (const name of names)
      assert.ok(
        tables.some((table) => ownerOf(table) === name),
        name,
      );
  });

  test('are read elsewhere where it is listed alone', () => {
    const reading = outside.flatMap((file) => {
      const named = foreignTables(file, `['"\`]|\\b(?:FROM|JOIN|UPDATE|INTO|ONLY|TABLE|USING)\\s+`);
      return named.length > 0 ? [[file, named]] : [];
    });
    assert.deepEqual(Object.fromEntries(reading), MAY_READ);
  });

  test('are written by the domain alone', () => {
    const writing = outside.filter(
      (file) =>
        foreignTables(file, '\\b(?:UPDATE|INTO|DELETE FROM|TABLE|MERGE INTO|TRUNCATE)\\s+(?:ONLY\\s+)?')
          .length > 0,
    );
    assert.deepEqual(writing, []);
  });
});
