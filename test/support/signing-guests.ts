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
  for (const { id } of document.signers) guests.push(await guestOf(app, sender, id));
  return { document, guests };
}

/** The signer's link as their next mail carries it. */
export async function guestOf(app: TestApp, { actor }: Sender, signer_id: string): Promise<TestGuest> {
  const { organization_id } = actor;
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
    sign: async (values = {}, more = {}, headers = {}) => {
      const { file, values_sha256, consent } = (await guest.get()).body.signing;
      const shown = {
        document_sha256: file?.sha256 ?? HASH_OF_NOTHING,
        values_sha256: values_sha256 ?? HASH_OF_NOTHING,
        consent_version: consent?.version ?? '2026-11-01',
      };
      return guest.post('/sign', { ...shown, values, ...more }, headers);
    },
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
