import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newBooks } from '../../support/books.ts';
import type { Reply } from '../../support/client.ts';
import { newOffice, type Office } from '../../support/cloud.ts';

const app = await startApp();

type Given = 'viewer' | 'editor' | 'manager';

/** What each action is tried on: nothing of it is there for another one. */
type Place = {
  owner: Office;
  folder: string;
  file: string;
  old: string;
  below: string;
  trashed: string;
  journal: string;
};

const DAY = '2030-01-01';

/** Every action of a member, and what one needs to be for it. */
const actions: Record<string, [Given, (who: Office, at: Place) => Promise<Reply>]> = {
  'list the folder': ['viewer', (who, { folder }) => who.get(`/cloud/folders/${folder}/children`)],
  'read the folder': ['viewer', (who, { folder }) => who.get(`/cloud/folders/${folder}`)],
  'sum the folder': ['viewer', (who, { folder }) => who.get(`/cloud/folders/${folder}/usage`)],
  'archive the folder': ['viewer', (who, { folder }) => who.post(`/cloud/folders/${folder}/archive`)],
  'read the file': ['viewer', (who, { file }) => who.get(`/cloud/files/${file}`)],
  'download the file': ['viewer', (who, { file }) => who.get(`/cloud/files/${file}/content`)],
  'list versions': ['viewer', (who, { file }) => who.get(`/cloud/files/${file}/versions`)],
  'download a version': [
    'viewer',
    (who, { file, old }) => who.get(`/cloud/files/${file}/versions/${old}/content`),
  ],
  'copy from it': [
    'viewer',
    (who, { file }) => who.post(`/cloud/files/${file}/copy`, { folder_id: null, on_conflict: 'rename' }),
  ],
  'make a folder': [
    'editor',
    (who, { folder }) =>
      who.post('/cloud/folders', { name: 'new', parent_id: folder, on_conflict: 'rename' }),
  ],
  'upload by a form': [
    'editor',
    (who, { folder }) => {
      const form = new FormData();
      form.append('folder_id', folder);
      form.append('on_conflict', 'rename');
      form.append('file', new Blob(['form']), 'form.txt');
      return who.post('/cloud/files', form);
    },
  ],
  'upload by a name': ['editor', (who, { folder }) => who.store('put.txt', 'put', folder)],
  'put a version': [
    'editor',
    (who, { file }) => who.send('PUT', `/cloud/files/${file}/content`, `by ${who.user_id}`),
  ],
  'restore a version': [
    'editor',
    (who, { file, old }) => who.post(`/cloud/files/${file}/versions/${old}/restore`),
  ],
  'copy into it': [
    'editor',
    async (who, { owner, folder }) => {
      const { id } = (await owner.store('copied.txt', 'x')).body.file;
      return who.post(`/cloud/files/${id}/copy`, { folder_id: folder, on_conflict: 'rename' });
    },
  ],
  'rename the file': [
    'editor',
    (who, { file }) => who.patch(`/cloud/files/${file}`, { name: 'renamed.txt' }),
  ],
  'rename a folder': [
    'editor',
    (who, { below }) => who.patch(`/cloud/folders/${below}`, { name: 'renamed' }),
  ],
  'move the file': [
    'editor',
    (who, { file, below }) => who.post(`/cloud/files/${file}/move`, { folder_id: below }),
  ],
  'move a file into it': [
    'editor',
    async (who, { owner, folder }) => {
      const { id } = (await owner.store('moved.txt', 'x')).body.file;
      return who.post(`/cloud/files/${id}/move`, { folder_id: folder, on_conflict: 'rename' });
    },
  ],
  'link the file': [
    'editor',
    async (who, { owner, file }) => {
      const { company } = (await owner.post('/crm/companies', { name: '港文具' })).body;
      return who.patch(`/cloud/files/${file}`, { links: [{ type: 'company', id: company.id }] });
    },
  ],
  'restore from the trash': ['editor', (who, { trashed }) => who.post(`/cloud/trash/${trashed}/restore`, {})],
  'trash the file': ['editor', (who, { file }) => who.delete(`/cloud/files/${file}`)],
  'trash a folder': ['editor', (who, { below }) => who.delete(`/cloud/folders/${below}`)],
  'move the file out of the restricted folder': [
    'manager',
    (who, { file }) => who.post(`/cloud/files/${file}/move`, { folder_id: null, on_conflict: 'rename' }),
  ],
  'trash the restricted folder': ['manager', (who, { folder }) => who.delete(`/cloud/folders/${folder}`)],
  'read who sees it': ['manager', (who, { folder }) => who.get(`/cloud/folders/${folder}/access`)],
  'say who sees it': [
    'manager',
    (who, { folder }) => who.put(`/cloud/folders/${folder}/access`, { mode: 'inherited' }),
  ],
  'hold the file': [
    'manager',
    (who, { file }) => who.patch(`/cloud/files/${file}`, { retention_until: DAY }),
  ],
  'hold the folder': [
    'manager',
    (who, { folder }) => who.patch(`/cloud/folders/${folder}`, { retention_until: DAY }),
  ],
  'set a link that holds': [
    'manager',
    (who, { file, journal }) =>
      who.patch(`/cloud/files/${file}`, { links: [{ type: 'journal', id: journal }] }),
  ],
  'remove a link that holds': [
    'manager',
    async (who, { owner, file, journal }) => {
      const links = [{ type: 'journal', id: journal }];
      assert.equal((await owner.patch(`/cloud/files/${file}`, { links })).status, 200);
      return who.patch(`/cloud/files/${file}`, { links: [] });
    },
  ],
  'keep a version': [
    'manager',
    (who, { file, old }) => who.patch(`/cloud/files/${file}/versions/${old}`, { keep: true }),
  ],
  'delete a version': ['manager', (who, { file, old }) => who.delete(`/cloud/files/${file}/versions/${old}`)],
  purge: ['manager', (who, { trashed }) => who.delete(`/cloud/trash/${trashed}`)],
};

const owner = await newOffice(app);
const colleagues: Record<Given | 'none', Office> = {
  none: await owner.colleague(),
  viewer: await owner.colleague(),
  editor: await owner.colleague(),
  manager: await owner.colleague(),
};
const reader = await owner.colleague('member', ['cloud:read']);
const books = await newBooks(app, { organization_id: owner.organization_id, role: 'owner' });
const { id: journal } = await books.book('2025-04-01', [
  ['1110', 100],
  ['3110', -100],
]);
let count = 0;

/** A restricted folder, granted to one colleague as each permission. */
async function newPlace(): Promise<Place> {
  count += 1;
  const { id: folder } = await owner.folder(`place ${count}`);
  const { id: below } = await owner.folder('below', folder);
  const { id: file } = await owner.file('file.txt', `one ${count}`, folder);
  await owner.store('file.txt', `two ${count}`, folder);
  const { id: trashed } = await owner.file('trashed.txt', `trashed ${count}`, folder);
  await owner.delete(`/cloud/files/${trashed}`);
  const [, old] = (await owner.get(`/cloud/files/${file}/versions`)).body.items;
  const grants = (['viewer', 'editor', 'manager'] as const).map((role) => ({
    type: 'user',
    id: colleagues[role].user_id,
    role,
  }));
  grants.push({ type: 'user', id: reader.user_id, role: 'manager' });
  const { status } = await owner.put(`/cloud/folders/${folder}/access`, { mode: 'restricted', grants });
  assert.equal(status, 200);
  return { owner, folder, file, old: old.id, below, trashed, journal };
}

const RANK = ['viewer', 'editor', 'manager'] as const;

describe('in a restricted folder', () => {
  for (const [action, [needed, act]] of Object.entries(actions)) {
    test(`to ${action} one is ${needed}`, async () => {
      const least = RANK.indexOf(needed);
      const place = await newPlace();
      const unseen = await act(colleagues.none, place);
      const says = [unseen.status, unseen.body?.code ?? null].join(' ');
      assert.ok(['404 not_found', '422 unknown_reference'].includes(says), says);
      if (least > 0) {
        const below = await act(colleagues[RANK[least - 1]!], place);
        assert.deepEqual([below.status, below.body.code], [403, 'folder_permission'], below.text);
        assert.equal(below.body.permission ?? RANK[least - 1], RANK[least - 1]);
        const without = await act(reader, place);
        assert.equal(without.status, 403, without.text);
      }
      const enough = await act(colleagues[needed], least > 0 ? await newPlace() : place);
      assert.ok(enough.status < 300, enough.text);
    });
  }
});

test('where nothing is restricted all members are editors, owner and admin managers', async () => {
  const other = await newOffice(app);
  const folder = await other.folder('open');
  for (const [role, permission] of [
    ['member', 'editor'],
    ['manager', 'editor'],
    ['admin', 'manager'],
    ['owner', 'manager'],
  ] as const) {
    const who = await other.colleague(role);
    assert.equal((await who.get(`/cloud/folders/${folder.id}`)).body.folder.permission, permission);
    const key = await other.colleague(role, ['cloud:read']);
    assert.equal((await key.get(`/cloud/folders/${folder.id}`)).body.folder.permission, 'viewer');
  }
});
