import type { Print } from '../../../shared/invoicing/print/model.ts';
import { extras, printed, type StoryLine } from './story.ts';

/** So many lines, with descriptions of one and of two rows, codes, both rates and now and then a text or a discount. */
export function manyLines(count: number): StoryLine[] {
  return Array.from({ length: count }, (_, place): StoryLine => {
    if (place % 23 === 11) return { description: `第${place}区分` };
    const long = place % 17 === 5 ? ' 深煎り 500g 個別包装・ギフト箱入り（包装紙・のし付き）税別' : '';
    return {
      description: `ブレンド No.${place + 1}${long}`,
      quantity: place % 5 === 0 ? '0.125' : String(1 + (place % 7)),
      unit: '袋',
      price: place % 19 === 7 ? '-350.5' : String(1200 + 10 * place),
      category: place % 4 === 0 ? 'standard' : 'reduced',
      ...(place % 3 === 0 && { code: `CB-${1000 + place}` }),
    };
  });
}

/** The longest, the widest and the strangest that documents may hold. */
export const widest: StoryLine[] = [
  {
    description: '説'.repeat(500),
    code: 'Z'.repeat(100),
    quantity: '12345678.123',
    unit: '単'.repeat(20),
    price: '80999.123',
    category: 'reduced',
  },
  { description: 'W'.repeat(500), quantity: '-12345678.123', unit: 'ダース', price: '80999.123' },
  {
    description: '🍣☕️👩‍💻 髙﨑①㈱ ｶﾀｶﾅ ｶﾞ ゔ 𠮷野家 <script>alert(1)</script> {{constructor}} &amp; "quoted"',
    quantity: '0.333',
    unit: 'ℓ',
    price: '999999999999.999',
    category: 'exempt',
  },
  { description: '経過措置', price: '999999', category: 'legacy_8' },
  { description: '輸出', price: '-999999', category: 'zero_rated' },
  { description: '立替金', price: '-80000000000', category: 'out_of_scope' },
];

const longest = {
  number: 'A'.repeat(50),
  issuer_name: '長'.repeat(200),
  subject: '件'.repeat(200),
  memo: '備考の文。'.repeat(2000),
  delivery_place: '場'.repeat(200),
  payment_terms_text: 'w'.repeat(200),
  reason: '理'.repeat(200),
};

const crowd = {
  company: {
    ...extras.company,
    name: '株式会社'.repeat(50),
    city: '市'.repeat(100),
    address_line: '丁'.repeat(200),
    building: 'B'.repeat(200),
  },
  person: { name: '名'.repeat(201), position: '職'.repeat(100) },
  invoice: { number: 'B'.repeat(50) },
};

/** Pages that are hard to lay out, by what makes them so. */
export const extremes: Record<string, () => Print> = {
  'a single line': () => printed('invoice'),
  'ten lines': () => printed('invoice', { lines: manyLines(10), memo: '振込手数料はご負担ください。' }),
  'thirty lines': () => printed('invoice', { lines: manyLines(30), memo: '一行の備考' }),
  'everything as long as it may be': () =>
    printed('invoice', { lines: widest, ...longest }, { extras: crowd }),
  'everything as long as it may be, in English, with tax in the prices': () => {
    const story = { lines: widest, ...longest, tax_display_mode: 'inclusive' as const };
    return printed('credit_note', story, { settings: { locale: 'en' }, extras: crowd });
  },
  'an order with everything as long as it may be, as a draft': () => {
    const story = { lines: widest, ...longest, delivery_date: '2026-12-31' };
    return printed('purchase_order', story, { extras: { ...crowd, is_draft: true } });
  },
  'a window on the left': () => {
    const person = { name: '佐藤 花子', position: '経理部長' };
    const changes = { settings: { window_envelope: 'left' }, extras: { person } } as const;
    return printed('invoice', { lines: manyLines(5), subject: '4月分' }, changes);
  },
  'a window on the right with a crowded address': () =>
    printed('quotation', { lines: manyLines(40) }, { settings: { window_envelope: 'right' }, extras: crowd }),
  'a delivery note without prices': () =>
    printed('delivery_note', { lines: manyLines(60), show_prices: false, memo: '受領印をお願いします。' }),
  'descriptions of many short lines': () => {
    const description = Array.from({ length: 249 }, (_, place) => place % 10).join('\n');
    return printed('invoice', {
      lines: [{ description, price: '1' }, ...manyLines(3), { description, price: '2' }],
    });
  },
  'a first line that ends on the second page': () => {
    const description = '深煎りのコーヒー豆です。'.repeat(41);
    const issuer_detail = '住所\n'.repeat(22);
    return printed('invoice', { lines: [{ description, price: '1200' }, ...manyLines(25)], issuer_detail });
  },
  'an issuer of ten thousand letters': () =>
    printed('invoice', { lines: manyLines(20), issuer_detail: '住所と電話。'.repeat(1666) }),
  'a memo of many lines': () =>
    printed('invoice', {
      lines: manyLines(12),
      memo: Array.from({ length: 400 }, (_, n) => `${n}行目`).join('\n'),
    }),
};
