import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { isJudged } from '../support/row-security.ts';

describe('under forced row-level security', { skip: !isJudged }, () => {
  test('a statement that lacks its organization fails, whichever way it reaches the row', async () => {
    const { app, one, other, contact_id } = await twoOrganizations();
    const statements: [string, unknown[]][] = [
      ['SELECT id FROM crm_contacts', []],
      ['SELECT id FROM crm_contacts WHERE id = $1', [contact_id]],
      ['SELECT count(*) FROM crm_contacts', []],
      ["UPDATE crm_contacts SET first_name = 'X' WHERE id = $1", [contact_id]],
      ['DELETE FROM crm_contacts WHERE id = $1', [contact_id]],
    ];
    for (const [text, values] of statements) {
      await assert.rejects(
        as(app, other, text, values),
        /reached a row of organization .* in crm_contacts/,
        text,
      );
      await assert.rejects(
        as(app, '', text, values),
        /reached a row of organization .* in crm_contacts/,
        text,
      );
    }
    assert.equal(
      (await as(app, one, 'SELECT id FROM crm_contacts WHERE organization_id = $1', [one])).length,
      1,
    );
  });

  test('a statement that names its organization finds its own rows alone, also through a join', async () => {
    const { app, one, other } = await twoOrganizations();
    const text = `SELECT crm_contacts.id FROM organizations
                    JOIN crm_contacts ON crm_contacts.organization_id = organizations.id WHERE organizations.id = $1`;
    assert.equal((await as(app, one, text, [one])).length, 1);
    assert.deepEqual(await as(app, other, text, [other]), []);
  });

  test('a row cannot be written for another organization', async () => {
    const { app, one, other } = await twoOrganizations();
    const text = `INSERT INTO crm_tags (organization_id, id, name, created_at, updated_at)
                  VALUES ($1, 'tag_1', 'A', now(), now())`;
    await assert.rejects(as(app, other, text, [one]), /reached a row of organization .* in crm_tags/);
  });
});

/** Two organizations, of which the first has a contact. */
async function twoOrganizations() {
  const app = await startApp();
  const [one, other] = [await app.actor(), await app.actor()];
  const reply = await one.post('/crm/contacts', { first_name: 'A', last_name: 'B' });
  assert.equal(reply.status, 201, reply.text);
  return {
    app,
    one: one.actor.organization_id,
    other: other.actor.organization_id,
    contact_id: reply.body.contact.id as string,
  };
}

function as(app: TestApp, organization_id: string, text: string, values: unknown[]) {
  return app.database.withConnection(organization_id, ({ query }) => query(text, values));
}
