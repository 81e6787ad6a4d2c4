import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import {
  depositCountsOf,
  depositFaultsOf,
  depositsOf,
  importedDeposits,
} from '../../support/deposit-imports.ts';
import { newSeller } from '../../support/documents.ts';
import { encoded } from '../../support/reading.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import',
]);

const file = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;

/**
 * Whole files as banks give them: lines about the account above the header, what was carried over, a fee that goes out, two that
 * come in on the 29th and 31st of May 2026, and the sums below.
 */
const FILES: Record<string, string> = {
  三菱UFJ: file(
    '"日付","摘要","摘要内容","支払い金額","預かり金額","差引残高","メモ","未資金化区分","入払区分"',
    '"2026/5/29","振込１","ｶ)ﾔﾏﾀﾞｼﾖｳﾃﾝ","","23,000","1,023,000","","","入金"',
    '"2026/5/29","手数料","ﾌﾘｺﾐﾃｽｳﾘﾖｳ","440","","1,022,560","","","出金"',
    '"2026/5/31","振込１","ﾕ)ｽｽﾞｷｾｲｻｸｼﾖ","","5,000","1,027,560","","","入金"',
  ),
  三井住友: file(
    '年月日,お引出し,お預入れ,お取り扱い内容,残高,メモ,ラベル',
    'R8.5.29,,23000,"振込　カ）ヤマダシヨウテン",1023000,"",',
    'R8.5.29,440,,"手数料",1022560,"",',
    'R8.5.31,,5000,"振込　ユ）スズキセイサクシヨ",1027560,"",',
  ),
  みずほ: file(
    'みずほ銀行',
    'お客さま口座,丸の内支店 普通 1234567',
    '照会期間,2026年5月1日〜2026年5月31日',
    '',
    '日付,お引出金額,お預入金額,お取引内容,残高',
    ',,,前月繰越,"1,000,000円"',
    '2026.05.29,,"23,000円",振込 カ）ヤマダシヨウテン,"1,023,000円"',
    '2026.05.29,"440円",,手数料,"1,022,560円"',
    '2026.05.31,,"5,000円",振込 ユ）スズキセイサクシヨ,"1,027,560円"',
    '合計,"440円","28,000円",,"1,027,560円"',
  ),
  見出しより短い合計行: file(
    '日付,お引出金額,お預入金額,お取引内容,残高',
    '2026.05.29,,"23,000円",振込 カ）ヤマダシヨウテン,"1,023,000円"',
    '2026.05.31,,"5,000円",振込 ユ）スズキセイサクシヨ,"1,028,000円"',
    '合計,,"28,000円"',
  ),
  見出しより長い合計行: file(
    '日付,お預入金額,お取引内容',
    '2026.05.29,"23,000円",振込 カ）ヤマダシヨウテン',
    '2026.05.31,"5,000円",振込 ユ）スズキセイサクシヨ',
    '合計,"28,000円",,"440円"',
  ),
  ゆうちょ: file(
    '商品名,振替口座',
    'お客さま口座番号,00100-1-123456',
    '現在高,1027560',
    '',
    '取引日,入出金明細ＩＤ,受入金額（円）,払出金額（円）,詳細１,詳細２,現在（貸付）高',
    '２０２６０５２９,202605290001,２３，０００,,振込,カ）ヤマダシヨウテン,１０２３０００',
    '２０２６０５２９,202605290002,,４４０,料金,フリコミテスウリヨウ,１０２２５６０',
    '２０２６０５３１,202605310001,５，０００,,振込,ユ）スズキセイサクシヨ,１０２７５６０',
  ),
  楽天: file(
    '取引日,入出金(円),取引後残高(円),入出金内容',
    '20260529,23000,1023000,カ）ヤマダシヨウテン',
    '20260529,-440,1022560,振込手数料',
    '20260531,5000,1027560,ユ）スズキセイサクシヨ',
  ),
  PayPay: file(
    '"操作日(年)","操作日(月)","操作日(日)","操作時刻(時)","操作時刻(分)","操作時刻(秒)","取引順番号","摘要","お支払金額","お預り金額","残高","メモ"',
    '"2026","5","29","10","5","9","1900001","振込 カ）ヤマダシヨウテン","","23000","1023000",""',
    '"2026","5","29","10","5","9","1900101","振込手数料","440","","1022560",""',
    '"2026","5","31","10","5","9","1900201","振込 ユ）スズキセイサクシヨ","","5000","1027560",""',
  ),
  GMOあおぞら: file(
    '"日付","摘要","入金金額","出金金額","残高","メモ"',
    '"20260501","前月繰越","","","1000000",""',
    '"20260529","振込 カ）ヤマダシヨウテン","23000","","1023000",""',
    '"20260529","振込手数料","","440","1022560",""',
    '"20260531","振込 ユ）スズキセイサクシヨ","5000","","1027560",""',
  ),
  信用金庫の通帳: file(
    '口座名義,株式会社青空',
    '年,月,日,摘要,お支払金額,お預り金額,差引残高',
    '令和8年,5月,1日,繰越,,"1,000,000","1,000,000"',
    '令和8年,5月,29日,振込 カ)ヤマダシヨウテン,,"23,000","1,023,000"',
    '令和8年,5月,29日,手数料,440,,"1,022,560"',
    '令和8年,5月,31日,振込 ユ)スズキセイサクシヨ,,"5,000","1,027,560"',
    ',,,合計,440,"28,000",',
  ),
};

describe('a whole file of a bank', () => {
  for (const [bank, text] of Object.entries(FILES)) {
    test(`${bank}: two deposits, and no fault`, async () => {
      const seller = await newSeller(app);
      const content = encoded(text, 'shift_jis');
      const { body } = await seller.post('/deposits/import/preview', formWith(content));
      assert.equal(body.preview.encoding, 'shift_jis', JSON.stringify(body));
      const done: Shown = await importedDeposits(seller, content);
      assert.deepEqual(await depositFaultsOf(seller, done), []);
      assert.deepEqual(depositCountsOf(done).slice(0, 2), ['completed', 2]);
      assert.equal(done.total_rows, done.created_count + done.skipped_count);
      const made = await depositsOf(seller);
      assert.deepEqual(
        made.map(({ received_on, amount }) => [received_on, amount]),
        [
          ['2026-05-29', 23_000],
          ['2026-05-31', 5_000],
        ],
      );
      for (const { payer_name } of made) assert.match(payer_name, /^[^振]*(ﾔﾏﾀﾞ|ヤマダ|ｽｽﾞｷ|スズキ)/);
      const again: Shown = await importedDeposits(seller, content);
      assert.deepEqual([again.created_count, again.duplicate_count], [0, 2]);
    });
  }
});
