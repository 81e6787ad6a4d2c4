import type { Print } from '../../../shared/invoicing/print/model.ts';
import type { PrintedSettings } from '../../../shared/invoicing/print/print-of.ts';
import { extras, printed, type StoryLine } from './story.ts';

/*
 * What a roaster of coffee and its customer send each other in a month: it quotes, delivers, bills, takes two bags
 * back, and orders what it needs itself.
 */

const goods: StoryLine[] = [
  { description: '4月分 定期便（4月6日・20日お届け）' },
  { ...bag('エチオピア イルガチェフェ ナチュラル 1kg', 'CB-ET-01', '4200'), quantity: '12' },
  { ...bag('ブラジル サントス No.2 中深煎り 1kg', 'CB-BR-02', '2800'), quantity: '30' },
  { ...bag('カフェインレス コロンビア 500g', 'CB-CO-05', '2150'), quantity: '8' },
  { description: 'ペーパーフィルター（100枚入）', code: 'FL-100', quantity: '20', unit: '箱', price: '380' },
  { description: '業務用グラインダー 定期保守', unit: '式', price: '15000' },
  { description: 'バリスタ研修（神宮前ラボ）', quantity: '2.5', unit: '時間', price: '8000' },
  { description: '定期便割引', price: '-3000', category: 'reduced' },
];

function bag(description: string, code: string, price: string): StoryLine {
  return { description, code, price, unit: '袋', category: 'reduced' };
}

const english: StoryLine[] = [
  { description: 'Standing order for April (delivered 6 and 20 April)' },
  { ...goods[1]!, description: 'Ethiopia Yirgacheffe, natural, 1 kg', unit: 'bag' },
  { ...goods[2]!, description: 'Brazil Santos No. 2, medium dark roast, 1 kg', unit: 'bag' },
  { ...goods[3]!, description: 'Decaffeinated Colombia, 500 g', unit: 'bag' },
  { ...goods[4]!, description: 'Paper filters, pack of 100', unit: 'pack' },
  { ...goods[5]!, description: 'Maintenance of the commercial grinder', unit: 'lot' },
  { ...goods[6]!, description: 'Barista training at the Jingumae lab', unit: 'hour' },
  { ...goods[7]!, description: 'Standing order discount' },
];

const memo = [
  '・振込手数料は貴社にてご負担くださいますようお願い申し上げます。',
  '・ご不明な点は経理担当 佐藤（03-1234-5678）までお問い合わせください。',
].join('\n');

const supplier = {
  ...extras.company,
  name: '有限会社みなと焙煎機',
  postal_code: '231-0023',
  prefecture: '神奈川県',
  city: '横浜市中区',
  address_line: '山下町9-1',
  building: null,
};

const abroad = {
  ...extras.company,
  name: 'Yamada Shoten Co., Ltd.',
  prefecture: 'Tokyo',
  city: 'Chiyoda-ku',
  address_line: '1-1 Chiyoda',
  building: 'Yamada Building 5F',
};

const machines: StoryLine[] = [
  { description: '直火式焙煎機 5kg釜', code: 'RM-5', unit: '台', price: '1280000' },
  { description: '冷却機・サイクロン接続工事', unit: '式', price: '165000' },
  { description: '操作講習', quantity: '1.5', unit: '日', price: '45000' },
];

const day = (transaction_date: string) => ({ transaction_date, transaction_period: null });

type Marks = Pick<PrintedSettings, 'logo' | 'seal'>;

/** The documents of the story, by the name of their picture. */
export function coffeeStory(marks: Marks): Record<string, { print: Print; page: number }> {
  const settings = { ...marks };
  const first = (print: Print) => ({ print, page: 1 });
  return {
    quotation: first(
      printed(
        'quotation',
        {
          number: 'QUO-2026-0031',
          issue_date: '2026-03-18',
          due_date: '2026-04-17',
          subject: '定期便・店舗備品のお見積り',
          lines: goods,
          memo: '・納期：ご発注後5営業日\n・お支払条件：月末締め翌月末払い',
        },
        { settings, extras: { person: { name: '山田 太郎', position: '仕入部長' } } },
      ),
    ),
    'delivery-note': first(
      printed(
        'delivery_note',
        {
          number: 'DN-2026-0107',
          issue_date: '2026-04-20',
          delivery_date: '2026-04-20',
          delivery_place: '千代田倉庫 2番ゲート',
          show_prices: false,
          lines: goods.slice(1, 5),
          memo: '商品に不足・破損がございましたら、3日以内にご連絡ください。',
        },
        { settings },
      ),
    ),
    invoice: first(
      printed('invoice', { subject: '4月分 コーヒー豆・備品', lines: goods, memo }, { settings }),
    ),
    'invoice-en': first(
      printed(
        'invoice',
        {
          subject: 'Coffee and supplies, April 2026',
          lines: english,
          issuer_name: 'Aoba Coffee K.K.',
          issuer_detail:
            'Aoba Building 4F, 1-2-3 Jingumae, Shibuya-ku\nTokyo 150-0001, Japan\nTel. +81 3 1234 5678',
          bank_account: {
            bank: 'Mizuho Bank',
            bank_code: '0001',
            branch: 'Shibuya Branch',
            branch_code: '210',
            type: 'ordinary',
            number: '1234567',
            holder: 'Aoba Coffee K.K.',
            holder_kana: null,
          },
          memo: 'Please bear the bank charges.',
        },
        {
          settings: { ...settings, locale: 'en' },
          extras: { company: abroad, person: { name: 'Taro Yamada', position: 'Purchasing Manager' } },
        },
      ),
    ),
    'credit-note': first(
      printed(
        'credit_note',
        {
          number: 'CN-2026-0003',
          issue_date: '2026-05-12',
          reason: '輸送中の破損による返品',
          memo: null,
          lines: [{ ...goods[1]!, quantity: '2' }],
        },
        { settings, extras: { invoice: { number: 'INV-2026-0412' } } },
      ),
    ),
    'purchase-order': first(
      printed(
        'purchase_order',
        {
          number: 'PO-2026-0009',
          issue_date: '2026-04-02',
          delivery_date: '2026-06-10',
          subject: '神宮前ラボ 焙煎機の導入',
          delivery_place: '神宮前ラボ（青葉ビル1階）',
          payment_terms_text: '検収月末締め翌月末払い',
          ...day('2026-04-02'),
          lines: machines,
        },
        { settings, extras: { company: supplier } },
      ),
    ),
    'several-pages': {
      print: printed('invoice', { subject: '4月分 店舗別お届け', lines: shops(), memo }, { settings }),
      page: 2,
    },
  };
}

/** A month of deliveries to many shops. */
function shops(): StoryLine[] {
  return ['銀座店', '新宿店', '渋谷店', '池袋店', '上野店', '品川店', '横浜店', '大宮店'].flatMap(
    (shop, place) => [
      { description: shop },
      ...goods
        .slice(1, 6)
        .map((line, at) => ({ ...line, quantity: String(3 + ((place * 5 + at * 3) % 11)) })),
    ],
  );
}
