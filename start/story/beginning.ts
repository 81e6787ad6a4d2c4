import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from './caller.ts';
import type { Teller } from './teller.ts';

/** Who sells, and to whom. */
export type Parties = { company_id: string; supplier_id: string };

/** The letterhead of the seller, its customer and its supplier. */
export async function beginning(api: Caller, tell: Teller): Promise<Parties> {
  tell.chapter('The letterhead', 'What every document begins with: issuer, bank account, logo and seal.');
  await api.patch(
    '/invoice-settings',
    {
      issuer_name: '株式会社青葉珈琲',
      issuer_detail: '〒150-0001 東京都渋谷区神宮前1-2-3\n青葉ビル4階\nTEL 03-1234-5678',
      issuer_registration_number: 'T7000012050002',
      bank_account: {
        bank: 'みずほ銀行',
        bank_code: '0001',
        branch: '渋谷支店',
        branch_code: '210',
        type: 'ordinary',
        number: '1234567',
        holder: '株式会社青葉珈琲',
        holder_kana: 'カ）アオバコーヒー',
      },
      memo_templates: { invoice: '振込手数料は貴社にてご負担くださいますようお願い申し上げます。' },
    },
    ({ invoice_settings }) =>
      `${invoice_settings.issuer_name}, registration number ${invoice_settings.issuer_registration_number}`,
  );
  for (const name of ['logo', 'seal']) {
    const bytes = new Uint8Array(await readFile(join(import.meta.dirname, `${name}.png`)));
    await api.upload(`/invoice-settings/${name}`, { name: `${name}.png`, bytes });
  }

  tell.chapter('A customer and a supplier', 'Companies of the CRM; documents copy what they need on issue.');
  const { company } = await api.post(
    '/crm/companies',
    {
      name: '株式会社山田商店',
      name_kana: 'ヤマダショウテン',
      email: 'keiri@yamada.example.jp',
      postal_code: '100-0001',
      prefecture: '東京都',
      city: '千代田区',
      address_line: '千代田1-1',
      building: '山田ビル5階',
      payment_terms: { closing_day: 'end', months_later: 1, pay_day: 'end' },
    },
    (answer) => `${answer['company'].name}: closes at the month's end, pays at the end of the next one`,
  );
  const supplier = await api.post(
    '/crm/companies',
    {
      name: '港南包装株式会社',
      email: 'order@konan.example.jp',
      prefecture: '神奈川県',
      city: '横浜市港南区',
    },
    (answer) => answer['company'].name,
  );
  return { company_id: company.id, supplier_id: supplier['company'].id };
}
