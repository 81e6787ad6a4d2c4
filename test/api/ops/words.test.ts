import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { SlackRefusal } from '../../../shared/attendance/slack/api.ts';
import { unavailableBy } from '../../../shared/db/outage.ts';
import { domains } from '../../../shared/domains.ts';
import { newId } from '../../../shared/kernel/id.ts';
import type { Text } from '../../../shared/kernel/language.ts';
import type { Sentence } from '../../../shared/kernel/sentences.ts';
import { refusalsOfFile } from '../../../shared/platform/imports/reading/refusals.ts';
import { purposesOf } from '../../../shared/platform/mailer/purposes.ts';
import { clockSentences, clockWords } from '../../../shared/platform/operators/clock.ts';
import { reasons, reasonsOf } from '../../../shared/platform/operators/reasons.ts';
import { OutsideFailure } from '../../../shared/platform/outside/failure.ts';
import { ReaderFailure } from '../../../shared/platform/readers/failure.ts';
import { refusalsOfStore } from '../../../shared/platform/storage/refusals.ts';
import { CalendarFailure } from '../../../shared/scheduler/calendars/provider.ts';
import { startApp } from '../../support/app.ts';
import { livelyOperations } from '../../support/lively-operations.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

const root = resolve(import.meta.dirname, '../../..');
const JAPANESE = /[ぁ-んァ-ヶ一-龠]/;
const textOf = reasonsOf(domains);

const told: readonly Sentence[] = [
  ...Object.values(reasons),
  ...Object.values(refusalsOfFile),
  ...Object.values(refusalsOfStore),
  ...Object.values(clockSentences),
  ...domains.flatMap(({ failure_reasons = [] }) => failure_reasons),
];

describe('what the service says of failures', () => {
  test('is told in both languages by the English that is kept', () => {
    assert.ok(told.length > 70);
    for (const sentence of told) {
      const values = Array.from({ length: sentence.length }, (_, place) => `${place + 3}-T1`);
      const text = (sentence as unknown as (...values: string[]) => Text)(...values);
      assert.deepEqual(textOf(text.en), text);
      assert.match(text.ja, JAPANESE);
    }
  });

  test('of a mail that has nothing to say any more, wherever a domain says why', async () => {
    const files = globSync('shared/*/pointless-mails.ts', { cwd: root });
    assert.ok(files.length > 5);
    for (const file of [...files, 'shared/platform/mailer/pointless.ts']) {
      const { pointless } = (await import(join(root, file))) as { pointless: Record<string, Text> };
      for (const { en, ja } of Object.values(pointless)) {
        assert.equal(textOf(en).ja, ja, `${file}: ${en}`);
        assert.match(ja, JAPANESE);
      }
    }
  });

  test('of each failure that workers throw: none has a sentence in English alone', () => {
    const alone = globSync(['workers/**/*.ts', 'shared/**/*.ts'], { cwd: root }).filter((file) =>
      /new (PermanentFailure|TryLater|HeldBack|Postponed|StampFailure|SlackTrouble|ImportFailure\('\w+',)\(?\s*['`]/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    );
    assert.deepEqual(alone, []);
  });

  test('of what the service depends on, and of calls to the outside', () => {
    const texts = [
      new OutsideFailure('timeout', { may_have_arrived: true }).message,
      new SlackRefusal('invalid_auth').message,
      new CalendarFailure('reauth_required', 'invalid_grant').message,
      new ReaderFailure('refused', 'encrypted_pdf').message,
      unavailableBy(Object.assign(new Error(), { code: '53100' }))?.details.trouble?.sentence ?? '',
      reasons.clock_to_be_set(clockWords(-700_000)).en,
    ];
    assert.deepEqual(
      texts.map((kept) => textOf(kept).ja),
      [
        '相手が時間内に応答しませんでした',
        'Slackが呼び出しを拒否しました：invalid_auth',
        'カレンダーを利用できません：reauth_required、invalid_grant',
        'ファイルを読み取れませんでした：encrypted_pdf',
        'PostgreSQLのディスクがいっぱいです。空き容量を増やせば、ほかの操作なしで復旧します。',
        'このプロセスの時計が、データベースの時計より12分遅れています。時計を合わせてください',
      ],
    );
  });

  test('of a file that an import refuses as a whole, with several columns', () => {
    const { en } = refusalsOfFile.no_known_columns('住所, 氏名, ...');
    assert.match(textOf(en).ja, /取り込める列がありません（ファイルの列：住所, 氏名, ...）/);
  });

  test('within other words as well, and what a server said stays as it is', () => {
    const why = reasons.given_up(12, reasons.unreachable('ECONNREFUSED').en).en;
    assert.equal(textOf(why).ja, '12回試して中止しました：メールサーバーに接続できません（ECONNREFUSED）');
    const reply = '550 5.1.1 The account that you tried to reach does not exist';
    assert.deepEqual(textOf(reply), { en: reply, ja: reply });
  });
});

describe('the pages of operators', () => {
  test('have words for each kind of mail and of import', () => {
    for (const { name, title } of purposesOf(domains).values()) {
      assert.match(title.ja, /[ぁ-んァ-ヶ一-龠]/, name);
      assert.match(title.en, /^[A-Z][A-Za-z -]+$/, name);
    }
    for (const { kind, title } of domains.flatMap(({ imports = [] }) => imports)) {
      assert.match(title.ja, JAPANESE, kind);
      assert.match(title.en, /^[A-Z][A-Za-z -]+$/, kind);
    }
  });

  test('say what a mail and an import is in words, and the code beside them', async () => {
    const app = await startApp({ environment: WITH_OPERATORS });
    const lively = await livelyOperations(app.database, new Date());
    const page = async (path: string, language: string) =>
      (await fetchAsOperator(`${app.base_url}${path}`, { headers: { 'accept-language': language } })).text();
    const gone = { id: newId('mail', new Date()), error: 'The document has no PDF' };
    await app.database.withConnection('*', ({ query }) =>
      query(
        `INSERT INTO mails (organization_id, id, purpose, about, locale, status, attempts, error, created_at, updated_at)
         VALUES ($1, $2, 'invoicing.document', '{}', 'ja', 'failed', 1, $3, now(), now())`,
        [lively.organization_id, gone.id, gone.error],
      ),
    );
    const mails = await page('/ops/mails', 'ja');
    assert.match(mails, />書類の送付（PDF）<\/a> <span class="under">invoicing\.document mail_/);
    assert.match(mails, /<span title="The document has no PDF">書類のPDFがありません</);
    assert.match(mails, /本文を渡したあと、応答がありませんでした：timeout/);
    assert.match(mails, />550 5\.1\.1 The account/);
    assert.match(await page('/ops/mails', 'en'), />The document has no PDF</);
    const one = await page(`/ops/mails/${lively.organization_id}/${gone.id}`, 'ja');
    assert.match(one, /<h1[^>]*>書類の送付（PDF）/);
    assert.match(one, /<pre[^>]*><span title="[^"]+">書類のPDFがありません/);
    const imports = await page('/ops/imports', 'ja');
    assert.match(imports, />メールの連絡先<\/a> <span class="under">mail\.contacts</);
    assert.match(imports, /<option value="crm\.companies">会社</);
    const detail = await page(`/ops/imports/${lively.organization_id}/${lively.import_id}`, 'ja');
    assert.match(detail, /<span title="update">セルの内容で上書き</);
    assert.match(detail, /<span title="shift_jis">Shift_JIS</);
    assert.match(
      detail,
      /メールアドレスの形になっていません。直してください <span class="under">invalid_email</,
    );
  });
});
