import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { defaultSettings } from '../../../shared/forms/settings/record.ts';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { openForm } from '../../support/open-forms.ts';

/** Statements are most of what a submission costs, in the API and in the database: they must not grow unseen. */
let asked: string[] = [];
const own = await freshDatabase({ on_statement: (text) => asked.push(text) });
const app = await startApp({ database: own, environment: { RATE_LIMIT_PER_MINUTE: '0' } });
after(() => own.drop());
const client = await app.actor();
const fields = [
  { id: 'email', type: 'email', label: 'メール', required: true },
  { id: 'seats', type: 'number', label: '人数' },
];
const data = { email: 'hanako@example.com', seats: '2' };

/** The statements of a submission after one that has made the keys of links. */
async function statementsOf(submit: () => Promise<() => Promise<{ status: number }>>): Promise<string[]> {
  await (await submit())();
  const last = await submit();
  asked = [];
  const { status } = await last();
  assert.equal(status, 201);
  return asked.filter((text) => !text.includes('api_key') && !text.includes('FROM organizations'));
}

const COUNTED = { ...defaultSettings.spam, min_seconds: 0 };

let persons = 0;

const byKey = (form_id: string) => async () => () => client.post(`/forms/${form_id}/responses`, { data });

const asGuest = (path: string) => async () => {
  const { form_token } = (await app.anonymous.post(`${path}/tokens`, {})).body;
  return () => app.anonymous.post(`${path}/responses`, { form_token, data });
};

/** Those that read stand alone; all rows are one statement, which is its own transaction. */
function assertOneWrite(statements: readonly string[], reading: number): void {
  assert.equal(statements.length, reading + 1, statements.join('\n'));
  const last = statements.at(-1)!;
  for (const part of ['forms_responses', 'events', 'audit_logs', 'forms_admit_response']) {
    assert.ok(last.includes(part), `${part}: ${last}`);
  }
}

describe('a submission', () => {
  test('with a key reads the form, and is one statement without a transaction around it', async () => {
    const { form_id } = await openForm(own.database, client.actor, fields);
    assertOneWrite(await statementsOf(byKey(form_id)), 1);
  });

  test('of a guest reads the form, the keys of links and the nonce in one trip, and is one statement', async () => {
    const { path } = await openForm(own.database, client.actor, fields);
    assertOneWrite(await statementsOf(asGuest(path)), 3);
  });

  test('of a guest whose address is counted, as a new form has it, reads for it once more, and is one statement', async () => {
    const { path } = await openForm(own.database, client.actor, fields, { settings: { spam: COUNTED } });
    const statements = await statementsOf(asGuest(path));
    assertOneWrite(statements, 4);
    assert.ok(statements.at(-1)!.includes('forms_admit_addresses'));
  });

  test('where the quota is asked for reads the form, and is one statement', async () => {
    const { form_id } = await openForm(own.database, client.actor, fields, {
      settings: { max_responses: 9 },
    });
    assertOneWrite(await statementsOf(byKey(form_id)), 1);
  });

  test('of one for each person takes the lock of its form by the last statement before COMMIT', async () => {
    const { form_id } = await openForm(own.database, client.actor, fields, {
      settings: { one_per: 'email', one_per_field: 'email' },
    });
    const statements = await statementsOf(
      async () => () =>
        client.post(`/forms/${form_id}/responses`, { data: { ...data, email: `${++persons}@example.com` } }),
    );
    assert.equal(statements.length, 4, statements.join('\n'));
    assert.match(statements[2]!, /^SELECT forms_admit_response/);
    assert.equal(statements[3], 'COMMIT');
  });
});
