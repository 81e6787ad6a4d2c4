import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { permissions } from '../../../shared/cloud/permissions.ts';
import { purgeTrash } from '../../../shared/cloud/trash/purge.ts';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { type Item, type Person, TreeModel } from '../../support/tree-model.ts';

const app = await startApp();

const NAMES = ['a', 'b', 'c'];

/** Numbers that choose who acts, on what, where to and under which name, whatever there is by then. */
const action = fc.record({
  what: fc.constantFrom(
    'folder',
    'folder',
    'file',
    'move',
    'move',
    'rename',
    'trash',
    'trash',
    'restore',
    'restore',
    'purge',
    'sweep',
    'restrict',
    'open',
  ),
  who: fc.nat(2),
  item: fc.nat(99),
  place: fc.nat(99),
  name: fc.constantFrom(...NAMES),
  grants: fc.array(fc.record({ who: fc.nat(2), role: fc.constantFrom(...permissions) }), { maxLength: 2 }),
});

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

type Member = { office: Office; person: Person };

test('a random tree is for each member what it is on paper, whoever did what', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 30, maxLength: 60 }), async (actions) => {
      const owner = await newOffice(app);
      const members: Member[] = [owner, await owner.colleague(), await owner.colleague()].map(
        (office, n) => ({
          office,
          person: { user_id: office.user_id, is_owner: n === 0 },
        }),
      );
      const model = new TreeModel();
      for (const [n, each] of actions.entries()) {
        await act(model, members, each);
        if (n % 10 === 9) await compare(model, members);
      }
      await compare(model, members);
      await compareRows(model, members[0]!);
    }),
    { numRuns: 12 },
  );
});

/** Does an action on both, and compares how it ended. */
async function act(model: TreeModel, members: readonly Member[], chosen: Action): Promise<void> {
  const { office, person } = members[chosen.who]!;
  const all = [...model.items.values()];
  const folders = all.filter(({ kind }) => kind === 'folder');
  const parent = [null, ...folders][chosen.place % (folders.length + 1)]?.id ?? null;
  const item = all[chosen.item % Math.max(1, all.length)];
  const told = (status: number, expected: number) =>
    assert.equal(status, expected, `${JSON.stringify(chosen)} on ${JSON.stringify(item)} to ${parent}`);

  if (chosen.what === 'folder' || chosen.what === 'file') {
    const isFile = chosen.what === 'file';
    const reply = isFile
      ? await office.store(chosen.name, 'content', parent)
      : await office.post('/cloud/folders', { name: chosen.name, parent_id: parent });
    const expected = createdBy(model, person, { parent, name: chosen.name, isFile });
    told(reply.status, expected);
    if (expected === 201) {
      const { id } = isFile ? reply.body.file : reply.body.folder;
      model.items.set(id, {
        id,
        kind: isFile ? 'file' : 'folder',
        parent,
        name: chosen.name,
        is_trashed: false,
        is_purged: false,
        restricted: null,
      });
    }
    return;
  }
  if (chosen.what === 'sweep') {
    await sweep();
    return;
  }
  if (!item) return;
  if (chosen.what === 'restrict' || chosen.what === 'open') {
    if (item.kind === 'file') return;
    const grants = chosen.grants.map(({ who, role }) => ({
      type: 'user' as const,
      id: members[who]!.person.user_id,
      role,
    }));
    const isOpen = chosen.what === 'open';
    const reply = await office.put(`/cloud/folders/${item.id}/access`, {
      mode: isOpen ? 'inherited' : 'restricted',
      grants,
    });
    const expected = model.isSeen(person, item)
      ? model.may(person, model.wayOf(item), 'manager')
        ? 200
        : 403
      : 404;
    told(reply.status, expected);
    if (expected === 200) {
      item.restricted = isOpen ? null : { by: item.restricted?.by ?? person.user_id, grants };
    }
    return;
  }
  if (chosen.what === 'restore') {
    const { status, body } = await office.post(`/cloud/trash/${item.id}/restore`, {});
    const { expected, to } = restoredBy(model, person, item);
    told(status, expected);
    if (expected === 200) {
      assert.equal(item.kind === 'file' ? body.item.folder_id : body.item.parent_id, to);
      Object.assign(item, { is_trashed: false, parent: to });
    }
    return;
  }
  if (chosen.what === 'purge') {
    const expected = purgedBy(model, person, item);
    told((await office.delete(`/cloud/trash/${item.id}`)).status, expected);
    if (expected === 200) item.is_purged = true;
    return;
  }
  const path = `/cloud/${item.kind}s/${item.id}`;
  if (chosen.what === 'trash') {
    const expected = trashedBy(model, person, item);
    told((await office.delete(path)).status, expected);
    if (expected === 200) item.is_trashed = true;
    return;
  }
  if (chosen.what === 'rename') {
    const expected = !model.isSeen(person, item)
      ? 404
      : !model.may(person, model.wayOf(item), 'editor')
        ? 403
        : model.named(item.parent, chosen.name, item.id)
          ? 409
          : 200;
    told((await office.patch(path, { name: chosen.name })).status, expected);
    if (expected === 200) item.name = chosen.name;
    return;
  }
  const expected = movedBy(model, person, item, parent);
  const { status } =
    item.kind === 'folder'
      ? await office.patch(path, { parent_id: parent })
      : await office.post(`${path}/move`, { folder_id: parent });
  told(status, expected);
  if (expected === 200) item.parent = parent;
}

type New = { parent: string | null; name: string; isFile: boolean };

function createdBy(model: TreeModel, person: Person, { parent, name, isFile }: New): number {
  if (!model.isSeenPlace(person, parent)) return isFile ? 404 : 422;
  if (!model.may(person, model.way(parent), 'editor')) return 403;
  const taken = model.named(parent, name);
  if (!taken) return 201;
  return isFile && taken.kind === 'file' ? 200 : 409;
}

function movedBy(model: TreeModel, person: Person, item: Item, parent: string | null): number {
  if (!model.isSeen(person, item)) return 404;
  if (!model.may(person, model.wayOf(item), 'editor')) return 403;
  if (item.kind === 'folder' && parent === item.parent) return 200;
  if (!model.isSeenPlace(person, parent)) return 422;
  if (!model.may(person, model.way(parent), 'editor')) return 403;
  const to = model.way(parent);
  if (to.includes(item)) return 409;
  if (parent !== item.parent && !model.mayLeave(person, model.way(item.parent), to)) return 403;
  return model.named(parent, item.name, item.id) ? 409 : 200;
}

function trashedBy(model: TreeModel, person: Person, item: Item): number {
  if (!model.isSeen(person, item)) return 404;
  if (!model.may(person, model.wayOf(item), 'editor')) return 403;
  if (item.kind === 'file') return 200;
  const isManaged = (folder: Item) => model.may(person, model.wayOf(folder), 'manager');
  return model.restrictedBelow(item).every(isManaged) ? 200 : 403;
}

function restoredBy(model: TreeModel, person: Person, item: Item): { expected: number; to: string | null } {
  const way = model.wayOf(item);
  const isBack = model.isSeenPlace(person, item.parent);
  const to = isBack ? item.parent : null;
  const expected = () => {
    if (!item.is_trashed || item.is_purged || model.permission(person, way) === null) return 404;
    if (!model.may(person, way, 'editor')) return 403;
    const from = model.way(item.parent);
    if (isBack ? !model.may(person, from, 'editor') : !model.mayLeave(person, from, [])) return 403;
    return model.named(to, item.name, item.id) ? 409 : 200;
  };
  return { expected: expected(), to };
}

function purgedBy(model: TreeModel, person: Person, item: Item): number {
  const way = model.wayOf(item);
  if (!item.is_trashed || item.is_purged || model.permission(person, way) === null) return 404;
  const isManaged = (folder: Item) => model.may(person, model.wayOf(folder), 'manager');
  return [item, ...model.restrictedBelow(item)].every(isManaged) ? 200 : 403;
}

/** Takes nothing that somebody sees. */
const sweep = () => purgeTrash(app.database, new Date(), new AbortController().signal);

/** When all of the trash is given up, the rows are those of what lives, and so are the bytes. */
async function compareRows(model: TreeModel, { office, person }: Member): Promise<void> {
  for (const item of model.items.values()) {
    if (item.is_trashed && !item.is_purged) {
      assert.equal((await office.delete(`/cloud/trash/${item.id}`)).status, 200);
    }
  }
  await sweep();
  const [kept] = await app.database.withConnection(office.organization_id, ({ query }) =>
    query<{ ids: string[]; bytes: number }>(
      `SELECT ARRAY(SELECT id FROM cloud_items WHERE organization_id = $1 ORDER BY id) AS ids,
              (SELECT coalesce(sum(size_bytes), 0)::bigint FROM cloud_versions WHERE organization_id = $1) AS bytes`,
      [office.organization_id],
    ),
  );
  const living = [...model.items.values()].filter((item) => model.isSeen(person, item));
  assert.deepEqual(kept!.ids, living.map(({ id }) => id).sort());
  assert.equal((await office.get('/cloud/usage')).body.usage.used_bytes, kept!.bytes);
}

/** What each member sees in lists, trash and counts is what the model says. */
async function compare(model: TreeModel, members: readonly Member[]): Promise<void> {
  for (const { office, person } of members) {
    for (const kind of ['folder', 'file'] as const) {
      const { body } = await office.get(`/cloud/${kind}s?limit=200`);
      const seen = [...model.items.values()].filter(
        (item) => item.kind === kind && model.isSeen(person, item),
      );
      const shown = seen.map((item) => shownOf(model, person, item));
      assert.equal(body.total, seen.length);
      assert.deepEqual(
        new Map(body.items.map((item: Shown) => [item.id, pick(item)])),
        new Map(shown.map((item) => [item.id, item])),
      );
    }
    const { body } = await office.get('/cloud/trash?limit=200');
    const trashed = [...model.items.values()].filter(
      (item) => item.is_trashed && !item.is_purged && model.permission(person, model.wayOf(item)) !== null,
    );
    assert.deepEqual(body.items.map(({ id }: Shown) => id).sort(), trashed.map(({ id }) => id).sort());
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

function pick({ id, name, path, permission, folder_count = 0, file_count = 0 }: Shown) {
  return {
    id,
    name,
    path: path.map((folder: Shown) => folder.id),
    permission,
    counts: [folder_count, file_count],
  };
}

function shownOf(model: TreeModel, person: Person, item: Item) {
  const children = (item.kind === 'folder' ? model.children(item.id) : []).filter((child) =>
    model.isSeen(person, child),
  );
  const count = (kind: Item['kind']) => children.filter((child) => child.kind === kind).length;
  const above = model.way(item.parent);
  const path = above.filter((_, n) => model.permission(person, above.slice(n)) !== null).map(({ id }) => id);
  return {
    id: item.id,
    name: item.name,
    path: path.reverse(),
    permission: model.permission(person, model.wayOf(item)),
    counts: [count('folder'), count('file')],
  };
}
