import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { opened } from '../support/opened-signing.ts';
import { guestOf } from '../support/signing-guests.ts';

const app = await startApp();
app.context.settings.embeddedDatabase = true;
const folder = mkdtempSync(join(tmpdir(), 'keys-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const root = resolve(import.meta.dirname, '../..');

/** Runs the command with the settings of the app. */
function keys(...words: string[]): Promise<{ code: number; out: string; error: string }> {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATA_DIR: folder,
    DATABASE_URL: app.database_url,
    BASE_URL: app.base_url,
  };
  return new Promise((done) => {
    execFile(
      process.execPath,
      ['start/keys-command.ts', ...words],
      { cwd: root, env },
      (error, out, text) => {
        done({ code: Number(error?.code ?? 0), out, error: text });
      },
    );
  });
}

describe('npm run keys', () => {
  test('turns the key of a purpose: every link that was sent is dead, and the next mail has another', async () => {
    const { guest, sender } = await opened(app);
    assert.equal((await guest.get()).status, 200);
    const { code, out, error } = await keys('turn', 'sign.link');
    assert.equal(code, 0, error);
    assert.match(out, /sign\.link are made with key 2 from now on\.\nThose of earlier keys have ended/);
    assert.equal((await guest.get()).status, 404);
    const again = await guestOf(app, sender.actor.organization_id, guest.signer_id);
    assert.notEqual(again.token, guest.token);
    assert.equal((await again.get()).body.signing.access, 'none');
    // What the dead link had opened is not open by the other one.
    assert.equal((await again.get('', { Cookie: guest.cookie })).body.signing.access, 'none');
    assert.equal((await again.get('/pdf', { Cookie: guest.cookie })).status, 403);
    assert.equal((await again.open()).status, 200);
  });

  test('says what it takes', async () => {
    assert.match((await keys()).out, /npm run keys -- turn PURPOSE/);
    for (const words of [['turn'], ['burn', 'sign.link'], ['turn', 'sign.link', 'more']]) {
      const { code, error } = await keys(...words);
      assert.deepEqual(
        [code, error],
        [1, 'npm run keys takes turn and one purpose, such as turn sign.link.\n'],
      );
    }
    assert.match((await keys('turn', 'invitations')).error, /The purpose invitations has no key/);
  });
});
