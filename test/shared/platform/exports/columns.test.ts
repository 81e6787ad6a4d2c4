import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { contactExport } from '../../../../shared/crm/exports/contacts.ts';
import { type Reader, systemActor } from '../../../../shared/kernel/reader.ts';
import { chosenColumns, unknownColumns } from '../../../../shared/platform/exports/columns.ts';
import { freshDatabase } from '../../../support/database.ts';

let asked = 0;
const { database, drop } = await freshDatabase({ on_statement: () => (asked += 1) });
after(drop);

const COUNT = 100;

test('however many custom fields are named as columns, their definitions are read once', async () => {
  await database.withConnection('org_x', async (connection) => {
    await connection.query(
      `INSERT INTO crm_custom_fields (organization_id, id, kind, key, label, type, options, created_at, updated_at)
       SELECT 'org_x', 'cfld_' || n, 'contact', 'field_' || n, 'Field', 'text', '{}', now(), now()
         FROM generate_series(1, ${COUNT}) AS n`,
    );
    const who = { actor: systemActor, request_id: null, ip_address: null };
    const reader: Reader = { connection, organization_id: 'org_x', now: new Date(), ...who };
    const names = Array.from({ length: COUNT }, (_, place) => `custom_fields.field_${COUNT - place}`);
    asked = 0;
    const columns = await chosenColumns(reader, contactExport, ['email', ...names]);
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['email', ...names],
    );
    assert.deepEqual(await unknownColumns(reader, contactExport, [...names, 'custom_fields.none']), [COUNT]);
    assert.equal(asked, 2);
  });
});
