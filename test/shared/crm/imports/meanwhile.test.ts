import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContact } from '../../../../shared/crm/contacts/operations.ts';
import { assignTag } from '../../../../shared/crm/tag-assignments/operations.ts';
import { crmImportsPlace } from '../../../support/crm-imports.ts';
import { meanwhile, untilWaiting } from '../../../support/meanwhile.ts';

const { newOrganization } = await crmImportsPlace();

const HEADER = '外部ID,姓,名,タグ';

test('an undone import leaves a tag that somebody puts on another record meanwhile', async () => {
  const organization = await newOrganization();
  const { act, query, organization_id } = organization;
  const { id: resource_id } = await act((work) =>
    createContact(work, { last_name: '山田', first_name: '太郎' }),
  );
  const done = await organization.take('contacts', [HEADER, 'a,林,花,重要']);
  const [tag] = await query<{ id: string }>('SELECT id FROM crm_tags WHERE organization_id = $1', [
    organization_id,
  ]);
  await meanwhile(
    organization,
    (work) => assignTag(work, { tag_id: tag!.id, resource_type: 'contact', resource_id }),
    async () => {
      await organization.undo('contacts', done);
    },
  );
  const assigned = await query('SELECT contact_id FROM crm_tag_assignments WHERE organization_id = $1', [
    organization_id,
  ]);
  assert.deepEqual(assigned, [{ contact_id: resource_id }]);
});

test('an undone import leaves what another import is just meeting', async () => {
  const organization = await newOrganization();
  const { query, organization_id } = organization;
  const first = await organization.take('contacts', [HEADER, 'a,林,花,']);
  await organization.take('contacts', [HEADER, 'b,森,葉,']);
  await meanwhile(
    organization,
    (work) =>
      work.connection.query(
        "SELECT FROM crm_contacts WHERE organization_id = $1 AND external_id = 'b' FOR UPDATE",
        [organization_id],
      ),
    async () => {
      const taking = organization.take('contacts', [HEADER, 'a,林,花,', 'b,森,葉,']);
      await untilWaiting(organization, 1);
      await Promise.all([taking, organization.undo('contacts', first)]);
    },
    2,
  );
  const left = await query<{ external_id: string }>(
    'SELECT external_id FROM crm_contacts WHERE organization_id = $1 ORDER BY external_id',
    [organization_id],
  );
  assert.deepEqual(
    left.map(({ external_id }) => external_id),
    ['a', 'b'],
  );
});
