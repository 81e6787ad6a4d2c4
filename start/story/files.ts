import type { Caller, Json } from './caller.ts';
import { type Teller, yen } from './teller.ts';

/** A folder of the story; at the root unless said. */
async function folder(api: Caller, name: string, parent_id: string | null = null): Promise<Json> {
  // In an organization where the story was told before the name is taken.
  const made = await api.post(
    '/cloud/folders',
    { name, parent_id, on_conflict: 'rename' },
    ({ folder: { name: given } }) => given,
  );
  return made['folder'];
}

/** Folders in each other, one of which only the managers see. */
export async function arranged(api: Caller, tell: Teller): Promise<{ open_id: string; closed_id: string }> {
  tell.chapter('Folders', 'Everybody in the organization sees a folder, unless it is restricted.');
  const open = await folder(api, '開業支援');
  const closed = await folder(api, '契約書', open['id']);
  await api.put(
    `/cloud/folders/${closed['id']}/access`,
    { mode: 'restricted', grants: [{ type: 'role', id: 'manager', role: 'editor' }] },
    ({ access: { mode, grants } }) =>
      `${mode}: ${grants.map(({ id, role }: Json) => `${id} is ${role}`).join(', ')}, as owner and admins are managers; for all others it does not exist`,
  );
  return { open_id: open['id'], closed_id: closed['id'] };
}

/** A contract, and its second version. */
export async function revised(api: Caller, tell: Teller, folder_id: string): Promise<void> {
  tell.chapter('A file and its versions', 'The same name twice is a version more; nothing is overwritten.');
  const path = `/cloud/folders/${folder_id}/files/${encodeURIComponent('業務委託契約書.txt')}`;
  const told = ({ file: { name, version_number, sha256 } }: Json) =>
    `${name}, version ${version_number}, SHA-256 ${sha256}`;
  const { file } = await api.store(path, '業務委託契約書\n報酬 月額 100,000円\n', told);
  await api.store(path, '業務委託契約書（改訂）\n報酬 月額 120,000円\n', told);
  const { items } = await api.get(
    `/cloud/files/${file.id}/versions?sort=created_at:asc`,
    (answer) => `${answer['items'].length} versions`,
  );
  await api.post(`/cloud/files/${file.id}/versions/${items[0].id}/restore`, undefined, told);
}

/** An invoice whose PDF is copied into a folder and linked to it. */
export async function filed(
  api: Caller,
  tell: Teller,
  { company_id, folder_id, today }: { company_id: string; folder_id: string; today: string },
): Promise<void> {
  tell.chapter('The PDF of an invoice', 'Copied as the invoice has it, and linked to the invoice.');
  const { invoice } = await api.post(
    '/invoices',
    {
      company_id,
      issue_date: today,
      line_items: [{ description: 'バリスタ研修', quantity: '10', unit: '時間', unit_price: '8000' }],
    },
    (answer) => yen(answer['invoice'].totals.total),
  );
  await api.post(`/invoices/${invoice.id}/approve`, undefined, (answer) => answer['invoice'].number);
  const { job } = await api.post(
    '/cloud/files',
    { source: { type: 'invoice', id: invoice.id }, folder_id },
    ({ file }) => file?.name ?? 'a worker is at it',
  );
  // Not drawn within 15 seconds: the job says when the file is there.
  if (job) await api.follow(job);
  await api.get(
    `/cloud/files?link_type=invoice&link_id=${invoice.id}`,
    ({ total, items: [file] }) => `${total} linked: ${file.name}, ${file.content_type}`,
  );
}

/** What people outside see of a folder, by its address alone. */
export async function shared(api: Caller, tell: Teller, folder_id: string): Promise<void> {
  tell.chapter('A share', 'Whoever has its address reads the folder, but for what is restricted below it.');
  const { url } = await api.post(
    '/cloud/shares',
    { folder_id, max_downloads: 10 },
    (answer) => answer['url'],
  );
  tell.say('The address is answered this once: open it in a browser.');
  const token = new URL(url).pathname.split('/').at(-2)!;
  await api.get(`/cloud/s/${token}`, ({ share_view: { items } }) =>
    items.map(({ name }: Json) => name).join(', '),
  );
}
