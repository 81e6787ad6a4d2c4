import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { CompanyInput } from '../../shared/crm/companies/record.ts';
import { newCompany } from '../../shared/crm/companies/shape.ts';
import { ContactInput } from '../../shared/crm/contacts/record.ts';
import { newContact } from '../../shared/crm/contacts/shape.ts';
import { DealInput } from '../../shared/crm/deals/record.ts';
import { newDealRow } from '../../shared/crm/deals/shape.ts';
import { companyExport } from '../../shared/crm/exports/companies.ts';
import { contactExport } from '../../shared/crm/exports/contacts.ts';
import { dealExport } from '../../shared/crm/exports/deals.ts';
import { companyFields } from '../../shared/crm/imports/companies/fields.ts';
import { contactFields } from '../../shared/crm/imports/contacts/fields.ts';
import { dealFields } from '../../shared/crm/imports/deals/fields.ts';
import { draftOf, type Making } from '../../shared/invoicing/documents/draft.ts';
import { kinds, writtenKinds } from '../../shared/invoicing/documents/kinds.ts';
import { inputSchemas } from '../../shared/invoicing/documents/shape.ts';
import { documentExports } from '../../shared/invoicing/exports/documents.ts';
import { defaultNumbering, defaultSettings } from '../../shared/invoicing/settings/defaults.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { pick, sentOrKept, sentOrNull } from '../../shared/kernel/record-fields.ts';
import { Work } from '../../shared/kernel/work.ts';
import { fieldColumns } from '../../shared/platform/exports/field-columns.ts';

const now = new Date('2026-04-01T00:00:00Z');

const work = new Work({
  connection: {} as Connection,
  organization_id: 'org_1',
  actor: systemActor,
  now,
  request_id: null,
  ip_address: null,
});

const stage = {
  id: 'pstage_1',
  pipeline_id: 'pipe_1',
  slug: 'new',
  type: 'open' as const,
  probability: 10,
  stale_after_days: null,
};

/** Fields that stand in another table, or are not written as they are sent. */
const elsewhere: Record<string, readonly string[]> = {
  deal: ['contact_ids'],
};

/** Fields that an export has under other names, or keyed: custom fields are a column each. */
const otherColumns: Record<string, Record<string, string>> = {
  company: { payment_terms: 'payment_terms.closing_day' },
};

const records = {
  company: {
    fields: CompanyInput.shape,
    blank: newCompany(work, { name: 'n' }, {}),
    columns: companyExport.columns,
    imported: companyFields,
  },
  contact: {
    fields: ContactInput.shape,
    blank: newContact(work, { first_name: 'f', last_name: 'l' }, {}),
    columns: contactExport.columns,
    imported: contactFields,
  },
  deal: {
    fields: DealInput.shape,
    blank: newDealRow(work, { name: 'n' }, { stage, amount: '0', position: '1', custom_fields: {} }),
    columns: dealExport.columns,
    imported: dealFields,
  },
};

describe('each field of a record that callers write', () => {
  for (const [kind, { fields, blank, columns, imported }] of Object.entries(records)) {
    const names = Object.keys(fields);

    test(`of a ${kind} is in a new record, null where it was not sent and has no default`, () => {
      const missing = names.filter((name) => !(name in blank) && !elsewhere[kind]?.includes(name));
      assert.deepEqual(missing, []);
      assert.ok(Object.values(blank).every((value) => value !== undefined));
    });

    test(`of a ${kind} is a column of its export`, () => {
      const present = new Set([...columns.map(({ name }) => name), 'custom_fields']);
      assert.deepEqual(
        names.filter((name) => !present.has(otherColumns[kind]?.[name] ?? name)),
        [],
      );
    });

    test(`of a ${kind} can be filled by a column of an import`, () => {
      const filled = new Set([...imported.flatMap(({ target, name }) => [target, name]), 'custom_fields']);
      assert.deepEqual(
        names.filter((name) => !filled.has(name)),
        [],
      );
    });
  }

  /** By kind of document, no import: documents are made one by one. */
  const making = {
    settings: {
      ...defaultSettings,
      issuer_name: '山田商事',
      numbering: defaultNumbering,
      memo_templates: { quotation: null, invoice: null, delivery_note: null, purchase_order: null },
    },
    company: { honorific: '御中', payment_terms: null, customer_since: null },
    actor: systemActor,
    now,
  } as unknown as Making;

  /** Lines have an export of their own; the account and the text of the letterhead are of no use in a table. */
  const notInExports = ['line_items', 'bank_account', 'issuer_detail', 'show_prices'];

  for (const kind of writtenKinds) {
    const names = Object.keys((inputSchemas[kind] as unknown as z.ZodObject).shape);

    test(`of a ${kind} is in a new document and a column of its export`, () => {
      const sent = {
        company_id: 'comp_01kaj2n5w5fq8b4m0g3v7x9rtc',
        issue_date: '2026-04-01',
        line_items: [],
      };
      const blank: object = draftOf(kind, sent as never, making);
      const stored = names.map((name) => (name === 'line_items' ? 'lines' : name));
      const renamed = stored.map((name) => (name === 'transaction_period' ? 'transaction_from' : name));
      assert.deepEqual(
        renamed.filter((name) => !(name in blank)),
        [],
      );
      assert.ok(Object.values(blank).every((value) => value !== undefined));
      const columns = new Set(documentExports[kind].columns.map(({ name }) => name));
      const shown = renamed.filter((name) => name !== 'lines' && !notInExports.includes(name));
      assert.deepEqual(
        shown.filter((name) => !columns.has(name)),
        [],
        kinds[kind].path,
      );
    });
  }
});

describe('columns that follow from a schema', () => {
  const fields = {
    name: z.string(),
    count: z.int().nullable(),
    kind: z.enum(['a', 'b']),
    site: z.url().nullable(),
    terms: z.strictObject({ day: z.int() }),
  };

  test('are one for each field, in order, with the kind of its schema', () => {
    assert.deepEqual(
      fieldColumns('t', fields, { except: ['terms'] }).map(({ name, kind, sql }) => [name, kind, sql]),
      [
        ['name', 'text', '"t"."name"'],
        ['count', 'number', '"t"."count"'],
        ['kind', 'text', '"t"."kind"'],
        ['site', 'text', '"t"."site"'],
      ],
    );
  });

  test('are refused for a field that is neither text nor number', () => {
    assert.throws(() => fieldColumns('t', fields, { except: [] }), /terms needs an export column/);
  });
});

test('what was sent counts, be it null; what was not sent is null in a new record and kept in a changed one', () => {
  const sent: { a?: number | null; b?: number | null; c?: number | null; d?: number } = {
    a: 1,
    b: null,
    d: 4,
  };
  assert.deepEqual(sentOrNull(sent, ['a', 'b', 'c']), { a: 1, b: null, c: null });
  assert.deepEqual(sentOrKept(sent, { a: 0, b: 0, c: 3 }, ['a', 'b', 'c']), { a: 1, b: null, c: 3 });
  assert.deepEqual(pick(sent, ['d']), { d: 4 });
});
