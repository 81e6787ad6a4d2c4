import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { taxRules } from '../../../shared/received/input-tax/rules.ts';
import { freshDatabase } from '../../support/database.ts';
import { taxRulesOfLaw } from '../../support/tax-rules.ts';

const { database, drop } = await freshDatabase();
after(drop);

const at = (now: string) =>
  database.withConnection('org_1', (connection) =>
    taxRules({
      connection,
      organization_id: 'org_1',
      actor: systemActor,
      now: new Date(now),
      request_id: null,
      ip_address: null,
    }),
  );

describe('the rules in the database', () => {
  test('are those of the law, and are read again after a minute', async () => {
    assert.deepEqual(await at('2026-11-02T00:00:00Z'), taxRulesOfLaw);
    await database.withConnection('*', (connection) =>
      connection.query(
        "INSERT INTO received_tax_rules (rule, valid_from, value) VALUES ('share', '2033-10-01', 10)",
      ),
    );
    assert.deepEqual(await at('2026-11-02T00:00:59Z'), taxRulesOfLaw);
    const { shares } = await at('2026-11-02T00:01:00Z');
    assert.deepEqual(shares, [{ from: '2033-10-01', value: 10 }, ...taxRulesOfLaw.shares]);
  });
});
