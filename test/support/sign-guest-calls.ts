import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { blankPdf, formOf, oneSigner } from './signing.ts';
import { guestOf, type TestGuest } from './signing-guests.ts';

type Call = { path: string; body?: unknown; headers?: Record<string, string> };

/** A signer of a document that the caller has sent. */
async function asked(
  app: TestApp,
  client: Client & { organization_id: string },
  auth: string,
): Promise<TestGuest> {
  app.context.settings.embeddedDatabase = true;
  const [signer] = oneSigner.signers;
  const data = { title: '業務委託契約書', ...oneSigner, signers: [{ ...signer, auth }], send: true };
  const made = await client.post('/sign/documents', formOf(blankPdf(), data));
  assert.equal(made.status, 201, made.text);
  return guestOf(app, client.organization_id, made.body.document.signers[0].id);
}

/** A call that succeeds, for every POST of signers that hears an Idempotency-Key. */
export function signGuestCalls(
  app: TestApp,
): Record<string, (client: Client & { organization_id: string }) => Promise<Call>> {
  const act = async (client: Client & { organization_id: string }, action: string, body: object) => {
    const guest = await asked(app, client, 'none');
    await guest.open();
    return { path: `/sign/s/${guest.token}/${action}`, body, headers: { Cookie: guest.cookie }, guest };
  };
  return {
    'sign.signing.otp': async (client) => ({
      path: `/sign/s/${(await asked(app, client, 'email_otp')).token}/otp`,
    }),
    'sign.signing.sign': async (client) => {
      const { guest, ...call } = await act(client, 'sign', {});
      return { ...call, body: await guest.toSign() };
    },
    'sign.signing.decline': async (client) => {
      const { guest: _, ...call } = await act(client, 'decline', { reason: '条件が違います。' });
      return call;
    },
  };
}
