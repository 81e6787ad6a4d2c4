import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';

const app = await startApp();

test('a link of a type that a newer release has made beside this one is told, kept, and taken away by managers', async () => {
  const office = await newOffice(app);
  const { id } = await office.file('newer.txt');
  const link = { type: 'shipment', id: 'ship_01kaj2n5w5fq8b4m0g3v7x9rtc' };
  await app.database.withConnection(office.organization_id, ({ query }) =>
    query('INSERT INTO cloud_links (organization_id, file_id, type, id) VALUES ($1, $2, $3, $4)', [
      office.organization_id,
      id,
      link.type,
      link.id,
    ]),
  );
  const path = `/cloud/files/${id}`;
  for (const reply of [await office.get(path), await office.patch(path, { description: 'x' })]) {
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(reply.body.file.links, [link]);
  }
  const editor = await office.colleague();
  assert.equal((await editor.patch(path, { links: [] })).body.code, 'folder_permission');
  const { status, body, text } = await office.patch(path, { links: [] });
  assert.equal(status, 200, text);
  assert.deepEqual(body.file.links, []);
});
