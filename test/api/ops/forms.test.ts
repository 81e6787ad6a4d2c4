import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { schemaWith, seedForm, seedResponses } from '../../support/many-responses.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

const app = await startApp({ environment: WITH_OPERATORS });

before(async () => {
  const { actor } = await app.actor();
  const schema = schemaWith([{ id: 'text', type: 'short_text', label: 'text' }]);
  const { form_id } = await seedForm(app.database, actor, [schema]);
  const ids = await seedResponses(app.database, actor, { form_id, fields: [] }, 6, () => ({
    data: { text: 'secret' },
  }));
  await app.database.withConnection('*', async ({ query }) => {
    const change = (id: string, sql: string) =>
      query(`UPDATE forms_responses SET ${sql} WHERE id = $1`, [id]);
    const hours = (count: number) => `submitted_at = now() - interval '${count} hours'`;
    await change(ids[0]!, `address_hash = 'a', ${hours(2)}`);
    await change(ids[1]!, `address_hash = 'b', is_spam = true, ${hours(3)}`);
    await change(ids[2]!, `address_hash = 'c', is_spam = true, ${hours(30)}`);
    await change(ids[3]!, `address_hash = null, crm_status = 'failed', crm_error = 'invalid', ${hours(50)}`);
    await change(ids[4]!, `address_hash = null, crm_status = 'failed', crm_error = 'invalid', ${hours(200)}`);
    await change(ids[5]!, `address_hash = null, ${hours(1)}`);
    await query(
      `INSERT INTO forms_files (organization_id, id, form_id, field_id, response_id, file_name, size_bytes, content_type,
         sha256, storage_key, created_at)
       SELECT $1, 'ffile_' || n, $2, 'text', CASE WHEN n = 2 THEN $3 END, 'secret.pdf', 1, 'application/pdf', '', 'k' || n,
         now() - interval '4 hours' FROM generate_series(1, 2) AS n`,
      [actor.organization_id, form_id, ids[0]],
    );
  });
});

describe('the forms of all organizations', () => {
  test('are a panel of what came in and what of it needs a look, with ages and without names', async () => {
    const text = await (await fetchAsOperator(`${app.base_url}/ops`)).text();
    const from = text.indexOf('Forms of all organizations');
    const panel = text.slice(from, text.indexOf('Received documents of all organizations'));
    for (const [title, value, age] of [
      ['Responses of guests in a day', 2, '3 h ago'],
      ['Responses that were flagged in a day', 1, '3 h ago'],
      ['Responses that could not be linked this week', 1, '2 d ago'],
      ['Files that no response has claimed', 1, '4 h ago'],
    ] as const) {
      assert.match(
        panel,
        new RegExp(`${title}(?:(?!</tr>)[\\s\\S])*?>${value}<(?:(?!</tr>)[\\s\\S])*?${age}`),
      );
    }
    assert.doesNotMatch(panel, /secret/);
  });

  test('are numbers at /metrics', async () => {
    const told = await (await fetch(`${app.base_url}/metrics`)).text();
    assert.match(told, /^forms_responses_today 2$/m);
    assert.match(told, /^forms_files_unclaimed_oldest_seconds 1(4[4-9]|[5-7]\d)\d\d\b/m);
  });
});
