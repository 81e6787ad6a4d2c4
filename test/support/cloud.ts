import assert from 'node:assert/strict';
import type { Grant, Role } from '../../shared/kernel/scope.ts';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client, Reply } from './client.ts';

/** An organization's cloud, as one of its members uses it. */
export type Office = Client & {
  organization_id: string;
  user_id: string;
  actor: TestActor;
  /** Another member, a plain one unless said. */
  colleague(role?: Role, scopes?: Grant[]): Promise<Office>;
  /** Makes a folder and answers it. */
  folder(name: string, parent_id?: string | null, fields?: object): Promise<Reply['body']>;
  /** Puts a content under a name; answers the reply. */
  store(
    name: string,
    content: string | Uint8Array,
    folder_id?: string | null,
    headers?: object,
  ): Promise<Reply>;
  /** The same, of which nothing but success is expected. */
  file(name: string, content?: string | Uint8Array, folder_id?: string | null): Promise<Reply['body']>;
  /** A file whose bytes the store has lost. */
  lost(name: string, content?: string | Uint8Array, folder_id?: string | null): Promise<Reply['body']>;
  /** The names in a folder, in the order of its children. */
  names(folder_id?: string | null): Promise<string[]>;
};

/** A member with a cloud; an owner in a new organization unless said. */
export async function newOffice(
  app: TestApp,
  options: { organization_id?: string; role?: Role; scopes?: Grant[] } = {},
): Promise<Office> {
  const client = await app.actor(options);
  const { organization_id, user_id } = client.actor;
  const store = (name: string, content: string | Uint8Array, folder_id: string | null = null, headers = {}) =>
    client.send('PUT', `/cloud/folders/${folder_id ?? 'root'}/files/${encodeURIComponent(name)}`, content, {
      'Content-Type': 'application/octet-stream',
      ...headers,
    });
  async function file(name: string, content: string | Uint8Array = name, folder_id: string | null = null) {
    const { status, body } = await store(name, content, folder_id);
    assert.equal(status, 201, JSON.stringify(body));
    return body.file;
  }
  return {
    ...client,
    organization_id,
    user_id,
    colleague: (role = 'member', scopes = ['*']) => newOffice(app, { organization_id, role, scopes }),
    async folder(name, parent_id = null, fields = {}) {
      const { status, body } = await client.post('/cloud/folders', { name, parent_id, ...fields });
      assert.equal(status, 201, JSON.stringify(body));
      return body.folder;
    },
    store,
    file,
    async lost(name, content, folder_id) {
      const stored = await file(name, content, folder_id);
      const [row] = await app.database.withConnection(organization_id, ({ query }) =>
        query<{ storage_key: string }>('SELECT storage_key FROM cloud_items WHERE id = $1', [stored.id]),
      );
      await app.context.storage.remove(row!.storage_key);
      return stored;
    },
    async names(folder_id = null) {
      const { status, body } = await client.get(`/cloud/folders/${folder_id ?? 'root'}/children?limit=200`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.items.map(({ name }: { name: string }) => name);
    },
  };
}
