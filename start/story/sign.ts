import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { mailboxFolder } from '../../shared/platform/mailer/mailbox.ts';
import { mailboxHeads, mailboxMessage } from '../../shared/platform/mailer/mailbox-message.ts';
import { type Caller, caller, type Json } from './caller.ts';
import type { Teller } from './teller.ts';

/** Where the story's people read their mails, and where the service is. */
export type Place = { url: string; folder: string; data_dir: string };

/** The calls of who has opened a document, and how it was then. */
export type Guest = Caller & { base: string; signing: Json };

const CODE = '4217-aoba';

/**
 * A purchase order goes out for signing: the supplier first, then somebody here approves. `tag` sets their addresses apart from
 * those of other tellings, whose mails may be in the same mailbox.
 */
export async function sentForSigning(
  api: Caller,
  tell: Teller,
  { supplier_id, today, tag }: { supplier_id: string; today: string; tag: string },
): Promise<Json> {
  tell.chapter('A document for signing', 'Its PDF is that of an order; its fields stand on the page.');
  const { purchase_order } = await api.post(
    '/purchase-orders',
    {
      company_id: supplier_id,
      issue_date: today,
      line_items: [
        { description: 'ペーパーフィルター（100枚入）', quantity: '40', unit: '箱', unit_price: '240' },
      ],
    },
    (answer) => answer['purchase_order'].status,
  );
  await api.post(
    `/purchase-orders/${purchase_order.id}/send`,
    undefined,
    (answer) => `${answer['purchase_order'].number}, ${answer['purchase_order'].status}`,
  );
  const { document } = await api.post(
    '/sign/documents',
    {
      source: { type: 'purchase_order', id: purchase_order.id },
      title: '注文書（ペーパーフィルター）',
      message: '内容をご確認のうえ、ご署名をお願いいたします。',
      transaction_date: today,
      amount: 10_560,
      counterparty_name: '港南包装株式会社',
      signers: [
        {
          key: 'supplier',
          name: '港南 次郎',
          email: `order.${tag}@konan.example.jp`,
          auth: 'access_code',
          access_code: CODE,
        },
        {
          key: 'chief',
          name: '青葉 花子',
          email: `chief.${tag}@aoba.example.jp`,
          role: 'approver',
          order_group: 2,
          auth: 'none',
        },
      ],
      fields: [
        {
          key: 'signature',
          signer: 'supplier',
          type: 'signature',
          page: 1,
          x: 0.1,
          y: 0.86,
          w: 0.3,
          h: 0.05,
        },
        { key: 'stamp', signer: 'supplier', type: 'stamp', page: 1, x: 0.45, y: 0.85, w: 0.09, h: 0.065 },
        { key: 'day', signer: 'supplier', type: 'date', page: 1, x: 0.6, y: 0.87, w: 0.2, h: 0.03 },
      ],
    },
    (answer) => `${answer['document'].status}, ${answer['document'].file.page_count} page(s)`,
  );
  const sent = await api.post(
    `/sign/documents/${document.id}/send`,
    undefined,
    ({ document: { status, signers } }) =>
      `${status}: ${signers.map(({ name, status: own }: Json) => `${name} is ${own}`).join(', ')}`,
  );
  return sent['document'];
}

/** The supplier opens the document with link and code, and signs what was shown. */
export async function signedBySupplier(
  api: Caller,
  tell: Teller,
  place: Place,
  document: Json,
): Promise<Guest> {
  tell.chapter('The supplier signs', 'Who has the link and the code. The page does the same, for people.');
  const [supplier, approver] = document['signers'];
  const link = await linkIn(place, supplier.email);
  tell.say(`The page of the supplier: ${link} (access code ${CODE})`);
  const guest = await opened(place, tell, link, { access_code: CODE });
  await signed(guest, {
    signature: { kind: 'typed', text: '港南 次郎' },
    stamp: { kind: 'text', text: '港南' },
  });
  tell.chapter('Somebody here approves', 'The second group is asked when the first one is done.');
  const chief = await opened(place, tell, await linkIn(place, approver.email), {});
  await signed(chief, {});
  await api.get(
    `/sign/documents/${document['id']}`,
    ({ document: { status, sealing } }) => `${status}, sealing ${sealing.status}`,
  );
  return guest;
}

/** The sealed file, what says that it is genuine, and what is said of one with a byte changed. */
export async function sealed(
  api: Caller,
  tell: Teller,
  { document, guest, url }: { document: Json; guest: Guest; url: string },
): Promise<void> {
  tell.chapter('The sealed file', 'Signed is a document when its sealed file is stored and verified.');
  await untilSigned(api, document['id']);
  const file = await guest.download(`${guest.base}/pdf`, 'signed order.pdf');
  await api.get(`/sign/documents/${document['id']}/events`, ({ items }) =>
    items.map(({ seq, type }: Json) => `${seq} ${type}`).join(', '),
  );
  tell.chapter('Anybody verifies it', 'Without an account; one byte more, and it is not what was sealed.');
  const bytes = await readFile(file);
  for (const [name, content] of [
    ['signed order.pdf', bytes],
    ['signed order.pdf with a line more', Buffer.concat([bytes, Buffer.from('\n% more\n')])],
  ] as const) {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(content)], 'signed.pdf', { type: 'application/pdf' }));
    tell.request('POST', '/sign/verify', `file=@${name}`);
    const response = await fetch(`${url}/api/v1/sign/verify`, { method: 'POST', body: form });
    const { verification } = (await response.json()) as Json;
    tell.answer(response.status, verification.result);
  }
  tell.say(`The same for people: ${url}/verify`);
}

/** Seconds that a mail, or the seal, is waited for. */
const PATIENCE = 60;

/** The link in the newest mail to an address. Throws a StartupError where mails are not kept here. */
async function linkIn({ data_dir }: Place, address: string): Promise<string> {
  const folder = mailboxFolder(data_dir);
  for (let second = 0; second < PATIENCE; second += 1) {
    const heads = await mailboxHeads(folder, 50);
    const found = heads.find(({ to }) => to.includes(address));
    const mail = found && (await mailboxMessage(folder, found.id));
    const link = /https?:\S+\/sign\/[\w-]{43}/.exec(mail?.text ?? '')?.[0];
    if (link) return link;
    await pause(1_000);
  }
  throw new StartupError(
    `The demo reads mails in ${folder}, and there is none to ${address}: start it where the service runs, with its DATA_DIR and without a mail server.`,
  );
}

/** Calls of a guest, who has opened the document of a link. */
async function opened({ url, folder }: Place, tell: Teller, link: string, codes: Json): Promise<Guest> {
  const base = `/sign/s/${link.slice(-43)}`;
  tell.request('POST', '/sign/s/{token}/access', codes);
  const response = await fetch(`${url}/api/v1${base}/access`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(codes),
  });
  const { signing } = (await response.json()) as Json;
  tell.answer(
    response.status,
    `${signing?.signer.name}: ${signing?.signer.status}, access ${signing?.access}`,
  );
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  const guest = caller({ url, folder, credential: { Cookie: cookies.join('; ') } }, tell);
  return { ...guest, base, signing };
}

async function signed(guest: Guest, values: Json): Promise<void> {
  const { base, signing } = guest;
  await guest.post(
    `${base}/sign`,
    {
      document_sha256: signing['file'].sha256,
      values_sha256: signing['values_sha256'],
      consent_version: signing['consent'].version,
      values,
    },
    (answer) => `${answer['signing'].signer.name} has ${answer['signing'].signer.status}`,
  );
}

async function untilSigned(api: Caller, id: string): Promise<void> {
  let status = '';
  for (let second = 0; second < PATIENCE && status !== 'signed'; second += 1) {
    await pause(1_000);
    ({ status } = (await api.get(`/sign/documents/${id}`, ({ document }) => document.status))['document']);
  }
  if (status !== 'signed') throw new StartupError('The demo cannot continue: the document was not sealed.');
}
