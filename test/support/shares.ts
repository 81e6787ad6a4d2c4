import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { TestApp } from './app.ts';
import type { Reply } from './client.ts';
import { newOffice, type Office } from './cloud.ts';

/** A share that was just made: its ID, the token of its address, and the path of its page. */
export type Shared = { id: string; token: string; page: string };

/** Shares a file or a folder of an office. */
export async function share(office: Office, sent: object): Promise<Shared> {
  const { status, body, text } = await office.post('/cloud/shares', sent);
  assert.equal(status, 201, text);
  const page = new URL(body.url).pathname;
  return { id: body.share.id, token: page.split('/')[2]!, page };
}

/** What a guest calls with the link of a share. */
export function guestOf({ anonymous }: TestApp) {
  type More = Record<string, string>;
  return {
    read: ({ token }: Shared, query = '', headers: More = {}) =>
      anonymous.get(`/cloud/s/${token}${query}`, headers),
    content: ({ token }: Shared, path = '', headers: More = {}) =>
      anonymous.get(`/cloud/s/${token}/content${path}`, headers),
    head: ({ token }: Shared, path = '') => anonymous.send('HEAD', `/cloud/s/${token}/content${path}`),
  };
}

/** The paths of what an answer to a guest lists. */
export function pathsIn({ body }: Reply): string[] {
  return body.share_view.items.map(({ path }: { path: string }) => path);
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What a shared file holds. */
export const TEXT = '0123456789'.repeat(100);

/** A file that is shared by these terms. */
export async function sharedFile(app: TestApp, terms: object = {}) {
  const owner = await newOffice(app);
  const file = await owner.file('見積書.txt', TEXT);
  return { owner, file, shared: await share(owner, { file_id: file.id, ...terms }) };
}

/** A folder below another one, with a file, an empty folder, a folder with a file, and a restricted one, that is shared. */
export async function sharedFolder(app: TestApp, terms: object = {}) {
  const owner = await newOffice(app);
  const above = await owner.folder('社外秘');
  const folder = await owner.folder('公開', above.id);
  const inner = await owner.folder('2026年度', folder.id);
  await owner.folder('empty', folder.id);
  const hidden = await owner.folder('人事', folder.id);
  await owner.put(`/cloud/folders/${hidden.id}/access`, { mode: 'restricted' });
  const a = await owner.file('a.txt', 'abc', folder.id);
  await owner.file('議事録.txt', '議事', inner.id);
  await owner.file('給与.txt', '給与', hidden.id);
  const shared = await share(owner, { folder_id: folder.id, ...terms });
  return { owner, above, folder, inner, a, shared };
}

/** Says that the scanner has found something else about the content of a file. */
export async function scanned(
  app: TestApp,
  { organization_id }: Office,
  sha256: string,
  scan: string,
): Promise<void> {
  await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `UPDATE files SET scan = $3, scan_due_at = CASE $3 WHEN 'pending' THEN now() END,
              finding = CASE $3 WHEN 'quarantined' THEN 'Eicar-Test-Signature' END
        WHERE organization_id = $1 AND sha256 = $2`,
      [organization_id, sha256, scan],
    ),
  );
}
