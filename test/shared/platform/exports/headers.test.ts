import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { companyFields } from '../../../../shared/crm/imports/companies/fields.ts';
import { contactFields } from '../../../../shared/crm/imports/contacts/fields.ts';
import { dealFields } from '../../../../shared/crm/imports/deals/fields.ts';
import { domains } from '../../../../shared/domains.ts';
import { mailContactFields } from '../../../../shared/mail/imports/fields.ts';
import { auditExport } from '../../../../shared/platform/audit/export.ts';
import { headersIn } from '../../../../shared/platform/exports/headers.ts';
import { fieldNamed } from '../../../../shared/platform/imports/reading/headers.ts';

const exporters = [...domains.flatMap(({ exports = [] }) => exports), auditExport('platform')];

/** What an import of the same records knows. */
const imports = {
  'crm.companies': companyFields,
  'crm.contacts': contactFields,
  'crm.deals': dealFields,
  'mail.contacts': mailContactFields,
};

describe('the columns of an export have Japanese headers', () => {
  assert.ok(exporters.length >= 17);
  for (const exporter of exporters) {
    const { name, columns } = exporter;
    test(`${name}: each its own`, () => {
      const headers = headersIn('ja', exporter, columns);
      assert.deepEqual(
        headers.filter((header) => !/[\p{sc=Han}\p{sc=Katakana}]/u.test(header) && header !== 'FAX'),
        [],
      );
      assert.equal(new Set(headers).size, headers.length, headers.join());
    });
  }
  for (const [name, fields] of Object.entries(imports)) {
    test(`${name}: the import takes each for what it is, or for nothing`, () => {
      const exporter = exporters.find((one) => one.name === name)!;
      const taken = headersIn('ja', exporter, exporter.columns).map(
        (header) => fieldNamed(header, fields)?.name ?? null,
      );
      const expected = exporter.columns.map((one) => fieldNamed(one.name, fields)?.name ?? null);
      assert.deepEqual(taken, expected);
    });
  }
});
