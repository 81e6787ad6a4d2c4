import { columnsOfName } from '../../shared/cloud/items/model.ts';
import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import { ensureInstallation } from '../../shared/platform/installation/installation.ts';
import type { TestActor } from './actors.ts';
import { fill } from './many-records.ts';

type Owner = Pick<TestActor, 'organization_id' | 'user_id'>;

type Tree = {
  name: string;
  folders: number;
  /** Shared out evenly among the folders; in the folder itself where there are none. */
  files: number;
};

const KINDS = ['見積書', '請求書', '納品書', '議事録', '契約書', '稟議書', '図面', 'report', 'photo', 'scan'];
const PLACES = ['東京', '大阪', '名古屋', '札幌', '福岡', '仙台', '広島', 'Osaka', 'Tokyo'];

/** Part of one name in ten thousand, and of one in a hundred. */
export const RARE = { very: '鰻', rather: '勅使' };

/** Names as an office gives them. */
export function officeName(n: number): string {
  const rare = n % 10_000 === 17 ? RARE.very : n % 100 === 18 ? RARE.rather : '';
  return `${KINDS[n % KINDS.length]}_${PLACES[(n * 7) % PLACES.length]}${rare}_${String(n).padStart(7, '0')}.pdf`;
}

/** Writes a folder in the root with folders and files below it, past the operations and without bytes; answers its ID. */
export async function seedTree(
  database: Database,
  owner: Owner,
  { name, folders, files }: Tree,
): Promise<string> {
  const folder = (parent_id: string | null, called: string, counts: object) => ({
    ...columnsOfName(called),
    kind: 'folder',
    parent_id,
    created_by: owner.user_id,
    ...counts,
  });
  const isFlat = folders === 0;
  const counts = { folder_count: folders, file_count: isFlat ? files : 0 };
  const [root] = await fill(database, owner, 'cloud_items', 'fold', 1, () => folder(null, name, counts));
  const each = { folder_count: 0, file_count: isFlat ? 0 : files / folders };
  const below = await fill(database, owner, 'cloud_items', 'fold', folders, (n) =>
    folder(root!, `f${n}`, each),
  );
  const parents = isFlat ? [root!] : below;
  const sha256 = 'a'.repeat(64);
  const installation = await ensureInstallation(database, new Date());
  await fill(database, owner, 'cloud_items', 'file', files, (n, { created_at }) => ({
    ...columnsOfName(officeName(n)),
    kind: 'file',
    parent_id: parents[n % parents.length],
    created_by: owner.user_id,
    version_id: newId('fver', new Date(created_at)),
    version_number: 1,
    size_bytes: 1_000 + (n % 977),
    content_type: 'application/pdf',
    extension: 'pdf',
    sha256,
    storage_key: `${owner.organization_id}/uploads/${installation}/${root}-${n}`,
  }));
  await database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `INSERT INTO cloud_versions (organization_id, id, file_id, number, size_bytes, content_type, sha256, storage_key, created_at)
       SELECT organization_id, version_id, id, 1, size_bytes, content_type, sha256, storage_key, created_at
         FROM cloud_items WHERE organization_id = $1 AND kind = 'file' AND parent_id = ANY ($2)`,
      [owner.organization_id, parents],
    ),
  );
  await database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `INSERT INTO cloud_usage (organization_id, used_bytes)
       SELECT $1::text, coalesce(sum(size_bytes), 0)::bigint FROM cloud_versions WHERE organization_id = $1
       ON CONFLICT (organization_id) DO UPDATE SET used_bytes = excluded.used_bytes`,
      [owner.organization_id],
    ),
  );
  return root!;
}
