import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import type { Office } from './cloud.ts';

/** A share that was just made: its ID, the token of its address, and the path of its page. */
export type Shared = { id: string; token: string; page: string };

/** Shares a file or a folder of an office. */
export async function share(office: Office, sent: object): Promise<Shared> {
  const { status, body, text } = await office.post('/cloud/shares', sent);
  assert.equal(status, 201, text);
  const page = new URL(body.url).pathname;
  return { id: body.share.id, token: page.split('/')[2]!, page };
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
