import type { TestApp } from './app.ts';
import type { Reply } from './client.ts';
import { newSender, type Sender } from './signing.ts';
import { SIGNATURE, sentToGuests, type TestGuest } from './signing-guests.ts';

const box = { page: 1, x: 0.1, w: 0.3, h: 0.05 };

/** Each kind of field, and one that the sender filled in. */
const FIELDS = [
  { ...box, y: 0.1, signer: 's1', type: 'signature', key: 'sign_here' },
  { ...box, y: 0.2, signer: 's1', type: 'text', key: 'address', validation: { max_length: 40 } },
  { ...box, y: 0.3, signer: 's1', type: 'number', key: 'count', required: false },
  { ...box, y: 0.4, signer: 's1', type: 'checkbox', key: 'agreed', required: true },
  {
    ...box,
    y: 0.5,
    signer: 's1',
    type: 'radio',
    key: 'plan',
    options: ['月払い', '年払い'],
    required: false,
  },
  { ...box, y: 0.6, signer: 's1', type: 'date', key: 'day' },
  { ...box, y: 0.7, signer: 's1', type: 'name', key: 'fixed', value: '固定', read_only: true },
];

const person = (key: string, more: object = {}) => ({
  key,
  name: `署名者 ${key}`,
  email: `${key}@example.jp`,
  auth: 'none',
  ...more,
});

/** A sent document, its guests, and the first of them. */
export type Asked = { document: Reply['body']; guests: TestGuest[]; guest: TestGuest; sender: Sender };

/** A document whose signers in turn have opened it. */
export async function opened(app: TestApp, fields: object = {}): Promise<Asked> {
  const sender = await newSender(app);
  const asked = await sentToGuests(app, sender, { signers: [person('s1')], fields: FIELDS, ...fields });
  for (const guest of asked.guests) await guest.open();
  return { ...asked, guest: asked.guests[0]!, sender };
}

/** A field for the signature of a signer. */
export const signatureOf = (signer: string) => ({ ...box, y: 0.8, signer, type: 'signature' });

/** Signers with a signature each, in groups of their own or together. */
export const several = (groups: readonly number[]) => ({
  signers: groups.map((order_group, index) => person(`s${index + 1}`, { order_group })),
  fields: groups.map((_, index) => signatureOf(`s${index + 1}`)),
});

/** The trail of a document. */
export async function events({ sender, document }: Pick<Asked, 'sender' | 'document'>) {
  return (await sender.get(`/sign/documents/${document.id}/events?limit=200`)).body.items;
}

/** The fields that a guest sees. */
export const shownFields = async (guest: TestGuest): Promise<{ id: string; key: string; value: unknown }[]> =>
  (await guest.get()).body.signing.fields;

/** The ID of a field by its key. */
export const idOf = async (guest: TestGuest, key: string) =>
  (await shownFields(guest)).find((field) => field.key === key)!.id;

/** A typed signature for the guest's own field. */
export const ownSignature = async (guest: TestGuest) => {
  const { fields, signer } = (await guest.get()).body.signing;
  return { [fields.find((field: { signer: string }) => field.signer === signer.id).id]: SIGNATURE };
};

/** How often each status was answered. */
export const statuses = (replies: readonly Reply[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

/** What the one signer of `opened` has to fill in. */
export const COMPLETE = { sign_here: SIGNATURE, address: '東京都港区', agreed: true };
