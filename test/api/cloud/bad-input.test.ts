import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { storedFiles } from '../../support/stored.ts';

const app = await startApp();

const NAMES = [
  ['of spaces', '   '],
  ['of two dots', '..'],
  ['of one dot', '.'],
  ['with a slash', 'a/b'],
  ['with a backslash', 'a\\b'],
  ['with NUL', 'a\0b'],
  ['with a line break', 'a\nb'],
  ['that turns the direction', 'a\u202eb'],
  ['of 256 bytes', 'a'.repeat(256)],
  ['of 86 letters of three bytes', 'あ'.repeat(86)],
] as const;

describe('a name', () => {
  for (const [what, name] of NAMES) {
    test(`${what} is refused wherever one is sent`, async () => {
      const office = await newOffice(app);
      const { id } = await office.file('a.txt');
      const folder = await office.folder('folder');
      for (const reply of [
        await office.post('/cloud/folders', { name }),
        await office.patch(`/cloud/folders/${folder.id}`, { name }),
        await office.patch(`/cloud/files/${id}`, { name }),
        await office.post(`/cloud/files/${id}/move`, { folder_id: folder.id, name }),
        await office.post(`/cloud/files/${id}/copy`, { folder_id: folder.id, name }),
        await office.post('/cloud/files', formOf([['name', name], FILE])),
      ]) {
        assert.deepEqual([reply.status, reply.body.errors[0].path], [422, '/name'], reply.text);
      }
      // Clients resolve dots in a path themselves.
      if (!/^\.+$/.test(name)) {
        const put = await office.store(name, 'x');
        assert.deepEqual([put.status, put.body.errors[0].in], [422, 'path'], put.text);
        assert.match(put.body.detail, /^The name of the file (cannot|must|has) /);
      }
      assert.deepEqual(await office.names(), ['folder', 'a.txt']);
    });
  }

  test('is kept in one form and may be as long as 255 bytes', async () => {
    const office = await newOffice(app);
    const decomposed = await office.folder('  カ\u3099ラス  ');
    assert.equal(decomposed.name, 'ガラス');
    assert.equal((await office.folder('あ'.repeat(85))).name.length, 85);
  });

  // Folded, one such sign is 33 bytes and a unit up to 18, and an entry of an index takes 2,704: it has repeats compressed.
  const UNITS = '㌖㌇㌕㌗㌙㌚㌠㌫㌮㌲㌴㌀㌁㌂㌃㌄㌅㌆㌈㌉㌊㌋㌌㌍㌎㌏㌐㌑㌒㌓㌔';
  for (const [what, name] of [
    ['signs of 18 letters', 'ﷺ'.repeat(85)],
    ['units before such signs', `${UNITS}${'ﷺ'.repeat(85 - UNITS.length)}`],
    [
      'such signs among letters',
      [...'abcdefghijklmnopqrstuvwxyz0123456789!#$%&()+,-.;=@[]^_`{}~é']
        .map((letter) => `${letter}ﷺ`)
        .join(''),
    ],
  ] as const) {
    test(`is found also where it is of ${what}`, async () => {
      const office = await newOffice(app);
      const { id } = await office.folder(name);
      const { body } = await office.get(
        `/cloud/folders?skip_total=true&sort=name:asc&search=${encodeURIComponent(name)}`,
      );
      assert.deepEqual(
        body.items.map((folder: { id: string }) => folder.id),
        [id],
      );
    });
  }
});

describe('a reference', () => {
  /** Every call that names a folder, with where it names it. */
  const calls: Record<string, [string, (who: Office, folder: string) => Promise<Reply>]> = {
    'a new folder': ['/parent_id', (who, parent_id) => who.post('/cloud/folders', { name: 'x', parent_id })],
    'a moved folder': [
      '/parent_id',
      async (who, parent_id) => who.patch(`/cloud/folders/${(await who.folder('moved')).id}`, { parent_id }),
    ],
    'a form': ['/folder_id', (who, id) => who.post('/cloud/files', formOf([['folder_id', id], FILE]))],
    'a moved file': [
      '/folder_id',
      async (who, folder_id) =>
        who.post(`/cloud/files/${(await who.file('moved.txt')).id}/move`, { folder_id }),
    ],
    'a copy': [
      '/folder_id',
      async (who, folder_id) =>
        who.post(`/cloud/files/${(await who.file('copied.txt')).id}/copy`, { folder_id }),
    ],
    'a restored file': [
      '/folder_id',
      async (who, folder_id) => {
        const { id } = await who.file('restored.txt');
        await who.delete(`/cloud/files/${id}`);
        return who.post(`/cloud/trash/${id}/restore`, { folder_id });
      },
    ],
  };
  for (const [what, [path, call]] of Object.entries(calls)) {
    test(`of ${what} to no folder is unknown`, async () => {
      const owner = await newOffice(app);
      const foreign = await (await newOffice(app)).folder('foreign');
      const top = await owner.folder('top');
      const below = await owner.folder('below', top.id);
      const gone = await owner.folder('gone');
      const secret = await owner.folder('secret');
      await owner.put(`/cloud/folders/${secret.id}/access`, { mode: 'restricted' });
      await owner.delete(`/cloud/folders/${gone.id}`);
      await owner.delete(`/cloud/folders/${top.id}`);
      for (const id of ['fold_01kaj2n5w5fq8b4m0g3v7x9rtc', gone.id, below.id, secret.id, foreign.id]) {
        const { status, body, text } = await call(await owner.colleague(), id);
        assert.deepEqual([status, body.code, body.errors?.[0].path], [422, 'unknown_reference', path], text);
        // The same names are used once more by the next one.
        const { items } = (await owner.get('/cloud/files')).body;
        for (const each of items) await owner.delete(`/cloud/files/${each.id}`);
        const { items: folders } = (await owner.get('/cloud/folders?search=moved')).body;
        for (const each of folders) await owner.delete(`/cloud/folders/${each.id}`);
      }
    });
  }

  test('of a filter to no folder finds nothing', async () => {
    const office = await newOffice(app);
    await office.file('a.txt');
    const unknown = 'fold_01kaj2n5w5fq8b4m0g3v7x9rtc';
    for (const query of [`folder_id=${unknown}`, `folder_id=${unknown}&recursive=true`]) {
      const { status, body } = await office.get(`/cloud/files?${query}`);
      assert.deepEqual([status, body.total], [200, 0]);
    }
    assert.equal((await office.get(`/cloud/folders?parent_id=${unknown}`)).body.total, 0);
  });
});

const FILE = ['file', new Blob(['abc'])] as const;

function formOf(fields: readonly (readonly [string, string | Blob])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'a.txt');
  }
  return form;
}

describe('a form', () => {
  for (const [what, fields] of [
    ['with two files', [FILE, FILE]],
    ['with a field behind the file', [FILE, ['name', 'b.txt']]],
    ['without a file', [['name', 'b.txt']]],
  ] as const) {
    test(`${what} is refused at /file, and nothing of it stays`, async () => {
      const office = await newOffice(app);
      const before = storedFiles(app).length;
      const { status, body, text } = await office.post('/cloud/files', formOf(fields as never));
      assert.deepEqual([status, body.errors[0].path], [422, '/file'], text);
      const { usage } = (await office.get('/cloud/usage')).body;
      assert.deepEqual([usage.used_bytes, usage.reserved_bytes, usage.file_count], [0, 0, 0]);
      assert.equal(storedFiles(app).length, before);
    });
  }
});

test('what is in the trash is deleted by no second call, and what lives is not restored', async () => {
  const office = await newOffice(app);
  const [file, folder] = [await office.file('a.txt'), await office.folder('folder')];
  for (const [path, id] of [
    ['files', file.id],
    ['folders', folder.id],
  ]) {
    assert.equal((await office.post(`/cloud/trash/${id}/restore`, {})).status, 404);
    assert.equal((await office.delete(`/cloud/trash/${id}`)).status, 404);
    assert.equal((await office.delete(`/cloud/${path}/${id}`)).status, 200);
    assert.equal((await office.delete(`/cloud/${path}/${id}`)).status, 404);
  }
});

test('an ID of anything that holds NUL or half a letter is refused at its place', async () => {
  const office = await newOffice(app);
  const folder = await office.folder('a');
  const { id } = await office.file('a.txt');
  for (const value of ['usr_\0', '\0', 'usr_\ud800']) {
    const sent: [Promise<Reply>, path: string][] = [
      [office.patch(`/cloud/files/${id}`, { links: [{ type: 'deal', id: value }] }), '/links/0/id'],
      [
        office.post('/cloud/files', { source: { type: 'invoice', id: value }, folder_id: null }),
        '/source/id',
      ],
      ...(['user', 'department', 'role'] as const).map((type): [Promise<Reply>, string] => [
        office.put(`/cloud/folders/${folder.id}/access`, {
          mode: 'restricted',
          grants: [{ type, id: value, role: 'viewer' }],
        }),
        '/grants/0/id',
      ]),
    ];
    for (const [reply, path] of sent) {
      const { status, body } = await reply;
      assert.deepEqual(
        [status, body.errors?.[0].path, body.errors?.[0].code],
        [422, path, 'invalid_characters'],
        JSON.stringify(value),
      );
    }
  }
});
