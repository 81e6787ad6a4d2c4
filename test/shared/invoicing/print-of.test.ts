import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Print } from '../../../shared/invoicing/print/model.ts';
import { extras, printed as print, reduced, standard } from '../../support/prints/story.ts';

const saidAs = (fields: Print['facts'], label: string) =>
  fields.find((field) => field.label === label)?.value;

describe('what a kind of document says', () => {
  for (const [kind, title, headline, number, en] of [
    ['quotation', '見積書', 'お見積金額', '見積番号', 'Quotation'],
    ['invoice', '請求書', 'ご請求金額', '請求番号', 'Invoice'],
    ['delivery_note', '納品書', '合計金額', '納品番号', 'Delivery Note'],
    ['purchase_order', '発注書', '発注金額', '発注番号', 'Purchase Order'],
    ['credit_note', '適格返還請求書', '返還金額', '返還番号', 'Credit Note'],
  ] as const) {
    test(`${kind}: ${title}, ${en}`, () => {
      const japanese = print(kind, { number: 'N-1' });
      assert.equal(japanese.title, title);
      assert.equal(japanese.running_head, `${title} N-1`);
      assert.deepEqual(japanese.headline, { label: headline, value: '¥7,260', note: '税込' });
      assert.equal(saidAs(japanese.facts, number), 'N-1');
      const english = print(kind, {}, { settings: { locale: 'en' } });
      assert.equal(english.title, en);
      assert.equal(english.headline?.note, 'incl. tax');
    });
  }

  test('an invoice has its transaction and its due date, and where to pay', () => {
    const { facts, terms } = print('invoice', {});
    assert.equal(saidAs(facts, '取引期間'), '2026年4月1日〜2026年4月30日');
    assert.equal(saidAs(terms, 'お支払期限'), '2026年5月31日');
    assert.equal(
      saidAs(terms, 'お振込先'),
      'みずほ銀行 (0001) 渋谷支店 (210)\n普通 1234567\n株式会社青葉珈琲　カ）アオバコーヒー',
    );
  });

  test('of an account what is there is shown', () => {
    const bank_account = {
      bank: 'ゆうちょ銀行',
      bank_code: null,
      branch: null,
      branch_code: null,
      type: 'checking' as const,
      number: '00010-1-23',
      holder: 'アオバ',
      holder_kana: 'アオバ',
    };
    assert.equal(
      saidAs(print('invoice', { bank_account }).terms, 'お振込先'),
      'ゆうちょ銀行\n当座 00010-1-23\nアオバ',
    );
  });

  test('a single day of transaction is called one', () => {
    const { facts } = print('invoice', { transaction_date: '2026-04-28', transaction_period: null });
    assert.equal(saidAs(facts, '取引日'), '2026年4月28日');
    assert.equal(saidAs(facts, '取引期間'), undefined);
  });

  test('a quotation is valid until a day, and asks for no payment', () => {
    const { facts, terms } = print('quotation', {});
    assert.equal(saidAs(facts, '有効期限'), '2026年5月31日');
    assert.deepEqual(terms, []);
  });

  test('a purchase order says when, where and how; it shows no registration number and no account', () => {
    const { terms, issuer } = print('purchase_order', {
      delivery_date: '2026-05-15',
      delivery_place: '神宮前店',
      payment_terms_text: '月末締め翌月末払い',
    });
    assert.deepEqual(terms, [
      { label: '納期', value: '2026年5月15日' },
      { label: '納品場所', value: '神宮前店' },
      { label: '支払条件', value: '月末締め翌月末払い' },
    ]);
    assert.equal(issuer.registration, null);
  });

  test('a delivery note shows the day of delivery, or else that of the transaction', () => {
    assert.equal(
      saidAs(print('delivery_note', { delivery_date: '2026-04-28' }).facts, '納品日'),
      '2026年4月28日',
    );
    const without = print('delivery_note', { transaction_date: '2026-04-27', transaction_period: null });
    assert.equal(saidAs(without.facts, '納品日'), '2026年4月27日');
  });

  test('a delivery note without prices shows no amount anywhere', () => {
    const bare = print('delivery_note', { show_prices: false, lines: [reduced, standard] });
    assert.equal(bare.headline, null);
    assert.equal(bare.sums, null);
    assert.deepEqual(
      bare.lines.map(({ quantity, unit_price, rate, amount, running }) => [
        quantity,
        unit_price,
        rate,
        amount,
        running,
      ]),
      [
        ['3', '', '', '', ''],
        ['1', '', '', '', ''],
      ],
    );
    assert.doesNotMatch(JSON.stringify(bare), /627|1,881|6,?600/);
  });

  test('only delivery notes may hide their prices', () => {
    assert.equal(print('invoice', { show_prices: false }).headline?.value, '¥7,260');
  });

  test('a credit note names its invoice, the days of that one and its reason', () => {
    const note = print('credit_note', { reason: '返品' }, { extras: { invoice: { number: 'INV-9' } } });
    assert.equal(saidAs(note.facts, '元の請求書'), 'INV-9');
    assert.equal(saidAs(note.facts, '元の取引日'), '2026年4月1日〜2026年4月30日');
    assert.equal(saidAs(note.terms, '返還理由'), '返品');
  });

  test('a draft has its mark and may lack a number', () => {
    const draft = print('invoice', { number: null }, { extras: { is_draft: true } });
    assert.equal(draft.draft_mark, '下書き');
    assert.equal(draft.running_head, '請求書');
    assert.equal(saidAs(draft.facts, '請求番号'), undefined);
    assert.equal(print('invoice', {}).draft_mark, null);
    const english = print('invoice', {}, { settings: { locale: 'en' }, extras: { is_draft: true } });
    assert.equal(english.draft_mark, 'DRAFT');
  });

  test('empty texts have no place on the page', () => {
    const { memo, issuer, subject } = print('invoice', { memo: ' \n', issuer_detail: null, subject: null });
    assert.deepEqual([memo, issuer.detail, subject], [null, '', null]);
  });
});

describe('who it is for', () => {
  test('a company by its address, its name and what follows that in letters', () => {
    assert.deepEqual(print('invoice', {}).recipient, {
      address: ['〒100-0001', '東京都千代田区千代田1-1', '山田ビル5階'],
      name: '株式会社山田商店',
      honorific: '御中',
      person: null,
    });
  });

  test('a person there is addressed in its place', () => {
    const person = { name: '佐藤 花子', position: '経理部長' };
    const { recipient } = print('invoice', {}, { extras: { person } });
    assert.deepEqual([recipient.honorific, recipient.person], ['', '経理部長　佐藤 花子　様']);
    const plain = print('invoice', { honorific: '' }, { extras: { person } });
    assert.equal(plain.recipient.person, '経理部長　佐藤 花子');
  });

  test('in English without honorifics, and Latin addresses from the small to the large', () => {
    const company = {
      ...extras.company,
      name: 'Yamada Shoten',
      prefecture: 'Tokyo',
      city: 'Chiyoda-ku',
      address_line: '1-1 Chiyoda',
      building: 'Yamada Building 5F',
    };
    const person = { name: 'Hanako Sato', position: 'Buyer' };
    const { recipient } = print('invoice', {}, { settings: { locale: 'en' }, extras: { company, person } });
    assert.deepEqual(recipient, {
      address: ['Yamada Building 5F', '1-1 Chiyoda, Chiyoda-ku', 'Tokyo 100-0001'],
      name: 'Yamada Shoten',
      honorific: '',
      person: 'Attn: Hanako Sato, Buyer',
    });
    const { address } = print('invoice', {}, { settings: { locale: 'en' } }).recipient;
    assert.deepEqual(address, ['〒100-0001', '東京都千代田区千代田1-1', '山田ビル5階']);
  });

  test('a company without an address has a name', () => {
    const nothing = { postal_code: null, prefecture: null, city: null, address_line: null, building: null };
    const { address } = print(
      'invoice',
      {},
      { extras: { company: { ...extras.company, ...nothing } } },
    ).recipient;
    assert.deepEqual(address, []);
  });
});

describe('lines', () => {
  test('items are numbered, texts are not', () => {
    const { lines } = print('invoice', {
      lines: [{ description: '4月分' }, reduced, { description: '' }, standard],
    });
    assert.deepEqual(
      lines.map(({ type, position }) => [type, position]),
      [
        ['text', ''],
        ['item', '1'],
        ['text', ''],
        ['item', '2'],
      ],
    );
  });

  test('every line knows the sum up to it, exactly', () => {
    const lines = [
      { description: 'a', price: '999999999999' },
      { description: '割引', quantity: '-1', price: '3000' },
      { description: 'text' },
      { description: 'b', quantity: '0.333', price: '1000' },
    ];
    assert.deepEqual(
      print('invoice', { lines }).lines.map(({ amount, running }) => [amount, running]),
      [
        ['999,999,999,999', '999,999,999,999'],
        ['▲3,000', '999,999,996,999'],
        ['', '999,999,996,999'],
        ['333', '999,999,997,332'],
      ],
    );
  });

  test('texts are taken as they are', () => {
    const description = ' <b>&amp;{{x}} \n 二行目 ';
    assert.equal(
      print('invoice', { lines: [{ description, price: '1' }] }).lines[0]?.description,
      description,
    );
  });
});
