import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  parseDirection,
  parseSignedYen,
  parseStatementDay,
  parseStatementYear,
  parseYen,
  withoutTransferWord,
} from '../../../../../shared/invoicing/deposits/imports/cells.ts';
import { depositFields } from '../../../../../shared/invoicing/deposits/imports/fields.ts';
import { readLine } from '../../../../../shared/invoicing/deposits/imports/line.ts';
import { refuseMissingFields } from '../../../../../shared/platform/imports/reading/mapping.ts';
import { previewOf } from '../../../../../shared/platform/imports/reading/preview.ts';
import { encoded } from '../../../../support/reading.ts';

/** Statements as banks write them: money in, money out; what is read of the first lines. */
const STATEMENTS: Record<string, { text: string; lines: unknown[] }> = {
  三菱UFJ: {
    text: '"日付","摘要","摘要内容","支払い金額","預かり金額","差引残高","メモ","未資金化区分","入払区分"\r\n"2026/5/29","振込１","ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ","","23,000","1,023,000","","","入金"\r\n"2026/5/29","手数料","ﾌﾘｺﾐﾃｽｳﾘﾖｳ","440","","1,022,560","","","出金"',
    lines: [['2026-05-29', 23_000, 'ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ', null], 'money_out'],
  },
  三井住友: {
    text: '年月日,お引出し,お預入れ,お取り扱い内容,残高,メモ,ラベル\r\n2026/5/29,,23000,"振込　カ）アオゾラショウテン",1023000,"",\r\n2026/5/29,440,,"手数料",1022560,"",',
    lines: [['2026-05-29', 23_000, 'カ）アオゾラショウテン', null], 'money_out'],
  },
  みずほ: {
    text: 'お客さま口座,みずほ支店 普通 1234567\r\n照会期間,2026年5月1日〜2026年5月31日\r\n\r\n日付,お引出金額,お預入金額,お取引内容,残高\r\n2026.05.29,,"23,000",振込 カ）アオゾラシヨウテン,"1,023,000"\r\n2026.05.29,"440",,手数料,"1,022,560"',
    lines: [['2026-05-29', 23_000, 'カ）アオゾラシヨウテン', null], 'money_out'],
  },
  ゆうちょ: {
    text: '商品名,振替口座\r\nお客さま口座番号,00100-1-123456\r\n取引日,入出金明細ＩＤ,受入金額（円）,払出金額（円）,詳細１,詳細２,現在（貸付）高\r\n20260529,202605290001,23000,,振込,カ）アオゾラシヨウテン,1023000\r\n20260529,202605290002,,440,料金,フリコミテスウリヨウ,1022560',
    lines: [['2026-05-29', 23_000, 'カ）アオゾラシヨウテン', '202605290001'], 'money_out'],
  },
  楽天: {
    text: '取引日,入出金(円),取引後残高(円),入出金内容\r\n20260529,23000,1023000,カ）アオゾラシヨウテン\r\n20260529,-440,1022560,振込手数料',
    lines: [['2026-05-29', 23_000, 'カ）アオゾラシヨウテン', null], 'money_out'],
  },
  住信SBI: {
    text: '"日付","内容","出金金額(円)","入金金額(円)","残高(円)","メモ"\r\n"2026/05/29","振込＊カ）アオゾラシヨウテン","","23,000","1,023,000","-"\r\n"2026/05/29","振込手数料","440","","1,022,560","-"',
    lines: [['2026-05-29', 23_000, 'カ）アオゾラシヨウテン', null], 'money_out'],
  },
  PayPay: {
    text: '"操作日(年)","操作日(月)","操作日(日)","操作時刻(時)","操作時刻(分)","操作時刻(秒)","取引順番号","摘要","お支払金額","お預り金額","残高","メモ"\r\n"2026","5","29","10","05","09","1900001","振込 カ）アオゾラシヨウテン","","23000","1023000",""\r\n"2026","5","29","10","05","09","1900101","振込手数料","440","","1022560",""',
    lines: [['2026-05-29', 23_000, 'カ）アオゾラシヨウテン', '1900001'], 'money_out'],
  },
  GMOあおぞら: {
    text: '"日付","摘要","入金金額","出金金額","残高","メモ"\r\n"20260529","振込 カ）アオゾラシヨウテン","23000","","1023000",""\r\n"20260529","振込手数料","","440","1022560",""',
    lines: [['2026-05-29', 23_000, 'カ）アオゾラシヨウテン', null], 'money_out'],
  },
  地方銀行のANSER: {
    text: '"照会口座","番号","勘定日","（起算日）","出金金額（円）","入金金額（円）","小切手区分","残高（円）","取引区分","明細区分","金融機関名","支店名","摘要"\r\n"普通 1234567","1","2026年 5月29日","","","23,000","","1,023,000","振込","","ﾐｽﾞﾎ","ﾎﾝﾃﾝ","ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ"\r\n"普通 1234567","2","2026年 5月29日","","440","","","1,022,560","手数料","","","","ﾃｽｳﾘﾖｳ"',
    lines: [['2026-05-29', 23_000, 'ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ', null], 'money_out'],
  },
  全銀: {
    text: '照会番号,勘定日,起算日,入払区分,取引区分,取引金額,振込依頼人名,仕向銀行名,仕向支店名,摘要内容,ＥＤＩ情報\r\n00000001,080529,080529,1,11,000000023000,ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ,ﾐｽﾞﾎ,ﾎﾝﾃﾝ,ﾌﾘｺﾐ,\r\n00000002,080529,080529,2,14,000000000440,,,,ﾃｽｳﾘﾖｳ,',
    lines: [['2026-05-29', 23_000, 'ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ', '00000001'], 'money_out'],
  },
};

async function read(text: string, encoding: 'utf-8' | 'shift_jis'): Promise<unknown[]> {
  const preview = await previewOf(encoded(text, encoding), {
    encoding: 'auto',
    delimiter: 'auto',
    has_header: 'auto',
    fields: depositFields,
    has_preamble: true,
  });
  assert.equal(preview.encoding, encoding);
  refuseMissingFields(preview, depositFields);
  const mapped = preview.fields.map((name) => depositFields.find((field) => field.name === name));
  return preview.rows.map((cells, index) => {
    const values: Record<string, unknown> = {};
    for (const [place, field] of mapped.entries()) {
      const cell = cells[place]!.trim();
      if (!field || cell === '') continue;
      const parsed = field.parse(field.normalize?.(cell) ?? cell);
      assert.ok('value' in parsed, `${field.name}: ${cell}`);
      values[field.name] = parsed.value;
    }
    const line = readLine({ row: index, cells, values }, Object.values(preview.mapping));
    assert.ok(!('faults' in line), JSON.stringify(line));
    if ('left_out' in line) return line.left_out;
    const { received_on, amount, payer_name, bank_reference } = line.line;
    return [received_on, amount, payer_name, bank_reference];
  });
}

describe('statements of banks', () => {
  for (const [bank, { text, lines }] of Object.entries(STATEMENTS)) {
    for (const encoding of ['shift_jis', 'utf-8'] as const) {
      test(`of ${bank} are read in ${encoding}, and money out is left alone`, async () => {
        assert.deepEqual(await read(text, encoding), lines);
      });
    }
  }
});

const value = (parsed: ReturnType<typeof parseYen>) => ('value' in parsed ? parsed.value : parsed.fault);

test('days are read as banks write them', () => {
  const days: [string, string][] = [
    ['2026/10/31', '2026-10-31'],
    ['20261031', '2026-10-31'],
    ['2026年10月31日', '2026-10-31'],
    ['令和8年10月31日', '2026-10-31'],
    ['R8.10.31', '2026-10-31'],
    ['R08/10/31', '2026-10-31'],
    ['２０２６／１０／３１', '2026-10-31'],
    ['2026/10/31 09:12:33', '2026-10-31'],
    ['2026年 4月 1日', '2026-04-01'],
    ['081031', '2026-10-31'],
    ['261031', '2026-10-31'],
    ['180101', '2036-01-01'],
    ['190101', '2019-01-01'],
    ['26/10/31', '2026-10-31'],
    ['2026/02/30', 'unknown_day'],
    ['081331', 'unknown_day'],
    ['10/31', 'unknown_day'],
    ['繰返', 'unknown_day'],
  ];
  for (const [cell, expected] of days) assert.equal(value(parseStatementDay(cell)), expected, cell);
});

test('years of their own are of the calendar or of Reiwa', () => {
  for (const [cell, expected] of [
    ['2026', 2026],
    ['2026年', 2026],
    ['令和8年', 2026],
    ['Ｒ８', 2026],
    ['08', 2026],
    ['26', 2026],
    ['合計', '合計'],
    ['平成30年', 'unknown_day'],
    ['202', 'unknown_day'],
  ] as const)
    assert.equal(value(parseStatementYear(cell)), expected, cell);
});

test('amounts are whole yen, with commas and signs', () => {
  for (const [cell, expected] of [
    ['23,000', 23_000],
    ['¥23,000', 23_000],
    ['￥２３，０００', 23_000],
    ['23,000円', 23_000],
    ['+23000', 23_000],
    ['000000023000', 23_000],
    ['0', 0],
    ['-', 0],
    ['－', 0],
    ['23000.5', 'invalid_format'],
    ['-1', 'too_small'],
    ['1000000000000', 'too_large'],
    ['二万', 'invalid_format'],
  ] as const)
    assert.equal(value(parseYen(cell)), expected, cell);
  for (const [cell, expected] of [
    ['-440', -440],
    ['▲440', -440],
    ['△ 1,440', -1_440],
    ['-¥440', -440],
    ['+440', 440],
    ['440', 440],
  ] as const)
    assert.equal(value(parseSignedYen(cell)), expected, cell);
  for (const [cell, expected] of [
    ['1', 'in'],
    ['２', 'out'],
    ['入金', 'in'],
    ['出金', 'out'],
    ['9', 'unknown'],
  ] as const)
    assert.equal(value(parseDirection(cell)), expected, cell);
});

test('the word for a transfer is no part of a name, and a name that begins with it stays', () => {
  for (const [cell, expected] of [
    ['振込 カ)アオゾラ', 'カ)アオゾラ'],
    ['振込＊カ）アオゾラ', 'カ）アオゾラ'],
    ['お振込：山田', '山田'],
    ['ﾌﾘｺﾐ ﾔﾏﾀﾞ', 'ﾔﾏﾀﾞ'],
    ['振込屋商店', '振込屋商店'],
    ['振込', '振込'],
    ['振込手数料', '振込手数料'],
  ] as const) {
    assert.equal(withoutTransferWord(cell), expected);
    assert.equal(withoutTransferWord(expected), expected);
  }
});

describe('a line', () => {
  const row = (values: Record<string, unknown>) => ({ row: 2, cells: [], values, unmapped: null });
  const outcome = (values: Record<string, unknown>, mapped = Object.keys(values)) => {
    const read = readLine(row({ received_on: '2026-05-29', ...values }), mapped);
    if ('left_out' in read) return read.left_out;
    return 'faults' in read ? read.faults.map(({ code, column }) => [code, column]) : read.line.amount;
  };

  test('is money in, money out, neither or a fault', () => {
    assert.equal(outcome({ amount: 100 }), 100);
    assert.equal(outcome({ amount: 100, withdrawal: 0 }), 100);
    assert.equal(outcome({ amount: 0, withdrawal: 100 }), 'money_out');
    assert.equal(outcome({ net_amount: 100 }), 100);
    assert.equal(outcome({ net_amount: -100 }), 'money_out');
    assert.equal(outcome({ amount: 100, direction: 'in' }), 100);
    assert.equal(outcome({ amount: 100, direction: 'out' }), 'money_out');
    assert.equal(outcome({ amount: 0, withdrawal: 0 }), 'no_money');
    assert.equal(outcome({}, ['amount', 'withdrawal']), 'no_money');
    assert.deepEqual(outcome({}, ['amount']), [['required', 'amount']]);
    assert.deepEqual(outcome({ amount: 100, withdrawal: 100 }), [['both_ways', 'amount']]);
    assert.deepEqual(outcome({ amount: 100 }, ['amount', 'direction']), [['required', 'direction']]);
    assert.equal(outcome({ amount: 100 }, ['amount', 'withdrawal', 'direction']), 100);
  });

  test('is left alone where it sums others or tells what was carried over', () => {
    for (const word of ['合計', '小 計', '前月繰越', '前頁より繰越', 'ｸﾘｺｼ', '期首残高']) {
      assert.equal(outcome({ amount: 100, received_on: word }), 'sum', word);
      assert.equal(outcome({ amount: 100, payer_name: word }), 'sum', word);
    }
    for (const name of ['合計商事', '株式会社繰越', '計']) {
      assert.equal(outcome({ amount: 100, payer_name: name }), name === '計' ? 'sum' : 100, name);
    }
  });

  test('has a day, whole or in parts', () => {
    const faults = (values: Record<string, unknown>) => {
      const read = readLine(row({ amount: 1, ...values }), ['amount']);
      return 'faults' in read ? read.faults.map(({ code, column }) => [code, column]) : read;
    };
    assert.deepEqual(faults({}), [['required', 'received_on']]);
    const parts = { received_year: 2026, received_month: 2, received_day: 30 };
    assert.deepEqual(faults(parts), [['unknown_day', 'received_day']]);
    const { received_day: _, ...some } = parts;
    assert.deepEqual(faults(some), [['required', 'received_year']]);
  });
});
