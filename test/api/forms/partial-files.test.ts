import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { openForm } from '../../support/open-forms.ts';
import { formWith } from '../../support/uploads.ts';

const app = await startApp();
const client = await app.actor();
const { organization_id } = client.actor;
const guest = app.anonymous;

/** A form token with a file that was uploaded under it. */
async function upload(): Promise<{ path: string; form_token: string; file_id: string }> {
  const fields = [{ id: 'papers', type: 'file', label: '資料' }];
  const { path } = await openForm(app.database, client.actor, fields, {});
  const { form_token } = (await guest.post(`${path}/tokens`, {})).body;
  const reply = await guest.post(`${path}/uploads`, formWith('a,b', { form_token, field_id: 'papers' }));
  assert.equal(reply.status, 201, reply.text);
  return { path, form_token, file_id: reply.body.file.id };
}

/** The partial that a file stays with; undefined where it is gone. */
async function holderOf(file_id: string): Promise<string | null | undefined> {
  const [file] = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ partial_id: string | null }>('SELECT partial_id FROM forms_files WHERE id = $1', [file_id]),
  );
  return file?.partial_id;
}

describe('a file that several saved partials name', () => {
  test('stays with the others when one is removed or names it no more', async () => {
    const { path, form_token, file_id } = await upload();
    const data = { papers: [file_id] };
    const save = async () => (await guest.post(`${path}/partials`, { form_token, data })).body.partial;
    const [first, second, third] = [await save(), await save(), await save()];
    assert.equal((await guest.delete(`/forms/partials/${third.token}`)).status, 200);
    assert.ok([first.id, second.id].includes((await holderOf(file_id))!));
    for (const { token } of [first, second])
      assert.equal((await guest.put(`/forms/partials/${token}`, { data })).status, 200);
    assert.equal((await guest.put(`/forms/partials/${second.token}`, { data: {} })).status, 200);
    assert.equal(await holderOf(file_id), first.id);
    const response = await guest.post(`${path}/responses`, { form_token, data });
    assert.equal(response.status, 201, response.text);
  });

  test('goes when all are removed at once', async () => {
    const { path, form_token, file_id } = await upload();
    const save = () => guest.post(`${path}/partials`, { form_token, data: { papers: [file_id] } });
    const all = await Promise.all(Array.from({ length: 5 }, save));
    const removed = await Promise.all(
      all.map(({ body }) => guest.delete(`/forms/partials/${body.partial.token}`)),
    );
    assert.deepEqual(
      removed.map(({ status }) => status),
      removed.map(() => 200),
    );
    assert.equal(await holderOf(file_id), undefined);
  });
});
