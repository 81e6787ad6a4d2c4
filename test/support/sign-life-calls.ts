import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { storedDraft } from './stored-signing.ts';

type Call = { path: string; body?: unknown };

type Sender = Client & { organization_id: string; user_id: string };

/** A call that succeeds, for every POST about a document that was sent, or is. */
export function signLifeCalls(app: TestApp): Record<string, (sender: Sender) => Promise<Call>> {
  app.context.settings.embeddedDatabase = true;

  /** A document, sent unless it is the path of a draft that is asked for. */
  async function documentOf({ organization_id, user_id, post }: Sender, is_sent = true) {
    const { id, signer_ids } = await storedDraft(app, { organization_id, user_id });
    const path = `/sign/documents/${id}`;
    if (is_sent) assert.equal((await post(`${path}/send`)).status, 200);
    const set = (text: string) =>
      app.database.withConnection(organization_id, ({ query }) => query(text, [organization_id, id]));
    return { path, signer: `${path}/signers/${signer_ids[0]}`, set };
  }

  return {
    'sign.documents.send': async (sender) => ({ path: `${(await documentOf(sender, false)).path}/send` }),
    'sign.documents.cancel': async (sender) => ({ path: `${(await documentOf(sender)).path}/cancel` }),
    'sign.documents.remind': async (sender) => ({ path: `${(await documentOf(sender)).path}/remind` }),
    'sign.documents.seal': async (sender) => {
      const { path, set } = await documentOf(sender);
      await set("UPDATE sign_documents SET sealing_status = 'failed' WHERE organization_id = $1 AND id = $2");
      return { path: `${path}/seal` };
    },
    'sign.documents.replace_signer': async (sender) => ({
      path: `${(await documentOf(sender)).signer}/replace`,
      body: { name: '鈴木 一郎', email: 'ichiro@example.jp' },
    }),
    'sign.documents.unlock_signer': async (sender) => {
      const { signer, set } = await documentOf(sender);
      await set(
        'UPDATE sign_signers SET failed_tries = 15, is_locked = true WHERE organization_id = $1 AND document_id = $2',
      );
      return { path: `${signer}/unlock` };
    },
  };
}
