import assert from 'node:assert/strict';
import type { Client } from './client.ts';

/** Makes a record and answers it; its path decides what it is. */
export async function made(client: Client, path: string, body: Record<string, unknown>) {
  const reply = await client.post(path, body);
  assert.equal(reply.status, 201, reply.text);
  return Object.values(reply.body)[0] as Record<string, never> & { id: string };
}

/** Makes a company. */
export const company = (client: Client, fields: Record<string, unknown>) =>
  made(client, '/crm/companies', fields);
/** Makes a contact. */
export const contact = (client: Client, fields: Record<string, unknown>) =>
  made(client, '/crm/contacts', { first_name: 'A', last_name: 'B', ...fields });

/** Two companies of one name; the loser has a contact, two deals, a note and two tags, one of them the survivor's too. */
export async function twoCompanies(client: Client) {
  await made(client, '/crm/pipelines', { name: 'P' });
  const survivor = await company(client, { name: '山田商店', phone: '03-1' });
  const loser = await company(client, {
    name: '㈱山田商店',
    phone: '03-2',
    note: 'x',
    external_id: 'e',
    corporate_number: '7000012050002',
  });
  const person = await contact(client, { company_id: loser.id });
  const deals = [
    await made(client, '/crm/deals', { name: 'D1', amount: 1000, company_id: loser.id }),
    await made(client, '/crm/deals', { name: 'D2', amount: '10.50', currency: 'USD', company_id: loser.id }),
  ];
  await made(client, '/crm/deals', { name: 'D3', amount: 500, company_id: survivor.id });
  const [shared, own] = [
    await made(client, '/crm/tags', { name: 's' }),
    await made(client, '/crm/tags', { name: 'o' }),
  ];
  for (const [tag_id, resource_id] of [
    [shared.id, survivor.id],
    [shared.id, loser.id],
    [own.id, loser.id],
  ]) {
    await made(client, '/crm/tag-assignments', { tag_id, resource_type: 'company', resource_id });
  }
  const note = await made(client, '/crm/activities', { type: 'note', content: 'n', company_id: loser.id });
  const path = `/crm/companies/${survivor.id}/merge`;
  return { survivor, loser, person, deals, note, path };
}
