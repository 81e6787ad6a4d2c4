import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inWork } from '../../../shared/db/in-work.ts';
import { newId } from '../../../shared/kernel/id.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { type Letter, renderLetter } from '../../../shared/platform/mailer/letter.ts';
import { documentForUpdate } from '../../../shared/sign/documents/queries.ts';
import { hashOfCode } from '../../../shared/sign/mails/code.ts';
import { type MailDraft, mailTo } from '../../../shared/sign/mails/queue.ts';
import type { MailKind } from '../../../shared/sign/mails/record.ts';
import { startApp } from '../../support/app.ts';
import { lettersAbout } from '../../support/letters.ts';
import { type Drafted, storedDraft } from '../../support/stored-signing.ts';

const now = new Date('2026-12-01T01:23:45.000Z');
const app = await startApp({ now: () => now });
app.context.settings.embeddedDatabase = true;

/** A document that was sent, and its mails as they would leave. */
async function sent(draft: Partial<Drafted> = {}) {
  const sender = await app.actor();
  const { organization_id, user_id } = sender.actor;
  const { id, signer_ids } = await storedDraft(app, { organization_id, user_id, now, ...draft });
  assert.equal((await sender.post(`/sign/documents/${id}/send`)).status, 200);
  const set = <Row extends object>(text: string, values: unknown[] = []) =>
    app.database.withConnection(organization_id, (connection) =>
      connection.query<Row>(text, [organization_id, ...values]),
    );
  const ask = (of: (signer: Exclude<MailDraft['to'], 'sender'>) => MailDraft) =>
    app.database.withConnection(organization_id, (connection) =>
      inWork(
        { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
        async (work) => {
          const { document, signers } = await documentForUpdate(work, id);
          await mailTo(work, document, of(signers[0]!));
        },
        { may_change_nothing: true },
      ),
    );
  const letters = (kind: MailKind) => lettersAbout(app, `sign.${kind}`, id);
  return { sender, organization_id, id, signer_ids, set, ask, letters };
}

const linesOf = (letter: Letter) => renderLetter(letter).text.split('\n');

describe('an invitation', () => {
  it('has the link alone on a line, is answered to the sender, and says until when, in both languages', async () => {
    const signers = [{}, { locale: 'en' as const, time_zone: 'America/New_York', role: 'approver' as const }];
    const { letters, id, set } = await sent({ signers, document: { message: 'ご確認ください。' } });
    const [japanese, english] = await letters('invitation');
    assert.match(japanese!.subject, /^書類への署名のお願い：業務委託契約書$/);
    assert.match(english!.subject, /^Please approve: 業務委託契約書$/);
    assert.match(japanese!.paragraphs.join('\n'), /期限：2027年3月1日\(月\) 24:00（日本標準時）/);
    assert.match(english!.paragraphs.join('\n'), /Until: Mon,? 1 March 2027.* 10:00 \(Eastern Time\)/);
    assert.match(japanese!.paragraphs.join('\n'), /ご確認ください。/);
    const [person] = await set<{ email: string }>(
      'SELECT users.email FROM users JOIN sign_documents AS d ON d.created_by = users.id WHERE d.organization_id = $1 AND d.id = $2',
      [id],
    );
    for (const letter of [japanese!, english!]) {
      assert.equal(letter.reply_to, person!.email);
      assert.ok(linesOf(letter).includes(letter.action!.url));
      assert.match(letter.action!.url, /\/sign\/[\w-]{43}$/);
    }
    assert.notEqual(japanese!.action!.url, english!.action!.url);
  });

  it('carries the same link as each reminder, which has the words of who reminds; a replaced signer gets another', async () => {
    const { letters, ask, sender, id, signer_ids } = await sent();
    await ask((to) => ({ kind: 'reminder', to, told: { message: '今週中に' } }));
    const [[invitation], [reminder]] = [await letters('invitation'), await letters('reminder')];
    assert.equal(invitation!.action!.url, reminder!.action!.url);
    assert.match(reminder!.paragraphs.join('\n'), /今週中に/);
    const body = { name: '鈴木 一郎', email: 'ichiro@example.jp' };
    assert.equal(
      (await sender.post(`/sign/documents/${id}/signers/${signer_ids[0]}/replace`, body)).status,
      200,
    );
    const again = (await letters('invitation')).at(-1)!;
    assert.notEqual(again.action!.url, invitation!.action!.url);
    assert.deepEqual(again.to, [{ name: '鈴木 一郎', address: 'ichiro@example.jp' }]);
  });

  it('is not sent to who has signed, nor when the document has ended', async () => {
    const { letters, set } = await sent();
    await set("UPDATE sign_signers SET status = 'signed' WHERE organization_id = $1");
    assert.deepEqual(await letters('invitation'), []);
  });
});

describe('a code', () => {
  it('is drawn when its mail is sent, stands alone on a line, and is kept as a hash', async () => {
    const { ask, letters, set, signer_ids } = await sent();
    const code_id = newId('scode', now);
    await set(
      `INSERT INTO sign_codes (organization_id, id, signer_id, is_alive, created_at, expires_at)
       VALUES ($1, $2, $3, true, $4, $4)`,
      [code_id, signer_ids[0], now.toISOString()],
    );
    await ask((to) => ({ kind: 'code', to, told: { code_id } }));
    const [letter] = await letters('code');
    const digits = linesOf(letter!).find((line) => /^\d{6}$/.test(line));
    const [kept] = await set<{ code_hash: string; expires_at: string }>(
      'SELECT code_hash, expires_at FROM sign_codes WHERE organization_id = $1',
    );
    assert.equal(kept!.code_hash, hashOfCode(code_id, digits!));
    assert.equal(kept!.expires_at, '2026-12-01T01:33:45.000Z');
    assert.equal(letter!.action, undefined);
    await set('UPDATE sign_codes SET is_alive = false WHERE organization_id = $1');
    assert.deepEqual(await letters('code'), []);
  });
});

describe('the end of a document', () => {
  it('is told with its reason, without a link', async () => {
    const { sender, letters, id } = await sent({ signers: [{ locale: 'en' }] });
    await sender.post(`/sign/documents/${id}/cancel`, { reason: 'The terms have changed.' });
    const [letter] = await letters('cancel');
    assert.match(
      letter!.paragraphs.join('\n'),
      /cancelled the request[\s\S]*Reason: \nThe terms have changed\./,
    );
    assert.equal(letter!.action, undefined);
  });
});

describe('the sealed copy', () => {
  it('goes with the mail up to 5 MiB, unless an access code guards it', async () => {
    const { ask, letters, set, id } = await sent();
    await set(
      `INSERT INTO sign_files (organization_id, document_id, kind, version, is_present, storage_key, file_name, size_bytes, sha256,
         page_count, has_signatures, created_at)
       SELECT organization_id, document_id, 'signed', 1, true, 'sign/sealed', file_name, 5242880, repeat('0', 64), 2, true, created_at
         FROM sign_files WHERE organization_id = $1 AND document_id = $2`,
      [id],
    );
    await set("UPDATE sign_documents SET status = 'signed' WHERE organization_id = $1");
    await ask((to) => ({ kind: 'copy', to }));
    const attached = async () =>
      (await letters('copy')).map(({ attachments }) => attachments!.map((one) => one.storage_key));
    assert.deepEqual(await attached(), [['sign/sealed']]);
    await set("UPDATE sign_files SET size_bytes = 5242881 WHERE organization_id = $1 AND kind = 'signed'");
    assert.deepEqual(await attached(), [[]]);
    await set("UPDATE sign_files SET size_bytes = 1000 WHERE organization_id = $1 AND kind = 'signed'");
    await set("UPDATE sign_signers SET auth = 'access_code_and_otp' WHERE organization_id = $1");
    assert.deepEqual(await attached(), [[]]);
  });
});
