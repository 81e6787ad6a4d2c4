import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inWork } from '../../shared/db/in-work.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { tokenFrom } from '../../shared/platform/links/token.ts';
import { linkOf } from '../../shared/sign/links/links.ts';
import { drawCode } from '../../shared/sign/mails/code.ts';
import { hashOfValues } from '../../shared/sign/values/hash.ts';
import type { TestApp } from './app.ts';
import type { Reply } from './client.ts';
import type { Sender } from './signing.ts';

/** What is shown of values where nobody has signed. */
export const HASH_OF_NOTHING = hashOfValues([]);

/** A signature that is typed. */
export const SIGNATURE = { kind: 'typed', text: '田中 一郎' };

/** A signer with their link, as a browser that keeps the cookie. */
export type TestGuest = {
  signer_id: string;
  token: string;
  /** The cookie of the last access; empty without one. */
  cookie: string;
  get(path?: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body?: unknown): Promise<Reply>;
  /** Opens the document, and keeps the cookie. */
  open(codes?: object): Promise<Reply>;
  /** What signs what is shown now, with a typed signature in each field for one. */
  toSign(): Promise<{ values: Record<string, unknown> } & Record<string, unknown>>;
  /** Signs what is shown now, with these values. */
  sign(values?: object, more?: object, headers?: Record<string, string>): Promise<Reply>;
  /** The digits of the code that is mailed last, as its mail has them. */
  mailedCode(): Promise<string>;
};

/** Sends a draft of this sender, and answers it with its signers as guests, in their order. */
export async function sentToGuests(
  app: TestApp,
  sender: Sender,
  fields: object = {},
): Promise<{ document: Reply['body']; guests: TestGuest[] }> {
  const draft = await sender.draft(fields);
  const sent = await sender.post(`/sign/documents/${draft.id}/send`);
  assert.equal(sent.status, 200, sent.text);
  const { document } = sent.body;
  const guests: TestGuest[] = [];
  for (const { id } of document.signers) guests.push(await guestOf(app, sender.actor.organization_id, id));
  return { document, guests };
}

/** The signer's link as their next mail carries it. */
export async function guestOf(app: TestApp, organization_id: string, signer_id: string): Promise<TestGuest> {
  const url = await inWorkOf(app, organization_id, ({ connection, now }) =>
    linkOf({ connection, now, base_url: '' }, { organization_id, id: signer_id }),
  );
  const token = url.split('/').at(-1)!;
  const path = (more: string) => `/sign/s/${token}${more}`;
  const guest: TestGuest = {
    signer_id,
    token,
    cookie: '',
    get: (more = '', headers = {}) => app.anonymous.get(path(more), { ...cookieOf(guest), ...headers }),
    post: (more, body, headers = {}) =>
      app.anonymous.post(path(more), body, { ...cookieOf(guest), ...headers }),
    put: (more, body) => app.anonymous.put(path(more), body, cookieOf(guest)),
    open: async (codes = {}) => {
      const reply = await guest.post('/access', codes);
      const [set] = reply.headers.getSetCookie();
      if (set) guest.cookie = set.slice(0, set.indexOf(';'));
      return reply;
    },
    toSign: async () => {
      const { signing } = (await guest.get()).body;
      const own = (signing.fields ?? []).filter(
        ({ signer, type }: { signer: string; type: string }) => signer === signer_id && type === 'signature',
      );
      return {
        document_sha256: signing.file?.sha256 ?? HASH_OF_NOTHING,
        values_sha256: signing.values_sha256 ?? HASH_OF_NOTHING,
        consent_version: signing.consent?.version ?? '2026-11-01',
        values: Object.fromEntries(own.map(({ id }: { id: string }) => [id, SIGNATURE])),
      };
    },
    sign: async (values = {}, more = {}, headers = {}) =>
      guest.post('/sign', { ...(await guest.toSign()), values, ...more }, headers),
    mailedCode: () =>
      inWorkOf(app, organization_id, async ({ connection, now }) => {
        const [code] = await connection.query<{ id: string }>(
          'SELECT id FROM sign_codes WHERE organization_id = $1 AND signer_id = $2 AND is_alive',
          [organization_id, signer_id],
        );
        const drawing = { connection, organization_id, now, newToken: () => tokenFrom(randomBytes(32)) };
        return (await drawCode(drawing, code!.id))!;
      }),
  };
  return guest;
}

function cookieOf({ cookie }: TestGuest): Record<string, string> {
  return cookie === '' ? {} : { Cookie: cookie };
}

/** Runs one write in an organization, as the service itself does. */
function inWorkOf<T>(app: TestApp, organization_id: string, run: (work: Work) => Promise<T>): Promise<T> {
  const reader = { organization_id, actor: systemActor, request_id: null, ip_address: null };
  return app.database.withConnection(organization_id, (connection) =>
    inWork({ ...reader, connection, now: app.context.now() }, run, { may_change_nothing: true }),
  );
}
