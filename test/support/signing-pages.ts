import { linkOf } from '../../shared/sign/links/links.ts';
import type { TestApp } from './app.ts';
import { newSender, type Sender } from './signing.ts';

/** A document that was sent, and the paths of the pages of its signers, by their keys. */
export type SentDocument = { sender: Sender; id: string; pages: Record<string, string> };

/** What a contract asks its signer for: something of each type. */
export const CONTRACT_FIELDS = [
  {
    key: 'postal',
    signer: 's1',
    type: 'text',
    label: '郵便番号',
    page: 1,
    x: 0.2,
    y: 0.7,
    w: 0.2,
    h: 0.025,
    validation: { format: 'postal_code' },
  },
  { key: 'address', signer: 's1', type: 'text', label: '住所', page: 1, x: 0.2, y: 0.74, w: 0.5, h: 0.05 },
  { key: 'name', signer: 's1', type: 'name', page: 1, x: 0.2, y: 0.8, w: 0.35, h: 0.03 },
  { key: 'sign', signer: 's1', type: 'signature', page: 1, x: 0.2, y: 0.86, w: 0.3, h: 0.06 },
  { key: 'again', signer: 's1', type: 'signature', page: 2, x: 0.6, y: 0.86, w: 0.3, h: 0.06 },
  { key: 'stamp', signer: 's1', type: 'stamp', page: 1, x: 0.75, y: 0.83, w: 0.1, h: 0.07, required: false },
  { key: 'day', signer: 's1', type: 'date', page: 1, x: 0.75, y: 0.76, w: 0.18, h: 0.03 },
  {
    key: 'read',
    signer: 's1',
    type: 'checkbox',
    label: '個人情報の取り扱いを読みました',
    page: 2,
    x: 0.2,
    y: 0.4,
    w: 0.03,
    h: 0.02,
    required: true,
  },
  {
    key: 'pay',
    signer: 's1',
    type: 'radio',
    label: '支払い方法',
    options: ['銀行振込', '口座振替'],
    page: 2,
    x: 0.2,
    y: 0.5,
    w: 0.3,
    h: 0.03,
  },
  {
    key: 'term',
    signer: 's1',
    type: 'select',
    label: '契約期間',
    options: ['1年', '2年'],
    page: 2,
    x: 0.2,
    y: 0.6,
    w: 0.3,
    h: 0.03,
    required: false,
  },
];

/** Sends a document, and answers where its signers sign. */
export async function sentDocument(app: TestApp, fields: object = {}, pdf?: Buffer): Promise<SentDocument> {
  app.context.settings.embeddedDatabase = true;
  const sender = await newSender(app);
  const { id } = await sender.draft(fields, pdf);
  const reply = await sender.post(`/sign/documents/${id}/send`);
  if (reply.status !== 200) throw new Error(reply.text);
  const pages: Record<string, string> = {};
  for (const signer of reply.body.document.signers) pages[signer.key] = await pageOf(app, sender, signer.id);
  return { sender, id, pages };
}

/** The path of a signer's page: the link can be made again. */
export async function pageOf(app: TestApp, { actor }: Sender, signer_id: string): Promise<string> {
  const { organization_id } = actor;
  const link = await app.database.withConnection(organization_id, (connection) =>
    linkOf(
      { connection, now: app.context.now(), base_url: app.base_url },
      { organization_id, id: signer_id },
    ),
  );
  return new URL(link).pathname;
}

/** What the form to sign was shown with: the hashes and the version that it sends back. */
export function hiddenIn(html: string): Record<string, string> {
  const names = ['action', 'document_sha256', 'values_sha256', 'consent_version'];
  const form = html.slice(html.indexOf('<form method="post" action', html.indexOf('class="panel"')));
  return Object.fromEntries(
    names.map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '']),
  );
}

/** The IDs of the inputs of a page, by the labels that they have there. */
export function inputsIn(html: string): Record<string, string> {
  return Object.fromEntries(
    [...html.matchAll(/id="field-(sfld_\w+)" data-type="\w+" data-label="([^"]*)"/g)].map(([, id, label]) => [
      label!,
      id!,
    ]),
  );
}
