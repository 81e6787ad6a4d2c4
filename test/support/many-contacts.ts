import { personSortName } from '../../shared/crm/names.ts';
import type { Database } from '../../shared/db/database.ts';
import { fullName } from '../../shared/kernel/full-name.ts';
import { newId } from '../../shared/kernel/id.ts';
import { personSearchText } from '../../shared/platform/search/lines.ts';
import { digitsOf } from '../../shared/platform/search/normalise.ts';
import { writtenGrams } from './many-records.ts';

export const LAST = [
  '佐藤',
  '鈴木',
  '高橋',
  '田中',
  '伊藤',
  '渡辺',
  '山本',
  '中村',
  '小林',
  '加藤',
  '吉田',
  '山田',
  '森',
  '原',
];
const LAST_KANA = [
  'サトウ',
  'スズキ',
  'タカハシ',
  'タナカ',
  'イトウ',
  'ワタナベ',
  'ヤマモト',
  'ナカムラ',
  'コバヤシ',
  'カトウ',
  'ヨシダ',
  'ヤマダ',
  'モリ',
  'ハラ',
];
export const FIRST = ['翔太', '陽菜', '蓮', '結衣', '大翔', '葵', '悠真', '凛', '湊', '咲良', '樹', '美咲'];
const FIRST_KANA = [
  'ショウタ',
  'ヒナ',
  'レン',
  'ユイ',
  'ヒロト',
  'アオイ',
  'ユウマ',
  'リン',
  'ミナト',
  'サクラ',
  'イツキ',
  'ミサキ',
];

/** Rare names among the many: one row in ten thousand carries each. */
export const RARE = { one: '鰻', two: '勅使', three: '勅使河' };

/**
 * Fills an organization with contacts one minute apart, the newest last: common Japanese surnames, and in every
 * ten-thousandth row a rare one.
 */
export async function seedContacts(
  database: Database,
  owner: { organization_id: string; user_id: string },
  count: number,
): Promise<void> {
  const start = Date.now() - count * 60_000;
  for (let from = 0; from < count; from += 5_000) {
    const size = Math.min(5_000, count - from);
    const rows = Array.from({ length: size }, (_, n) => contactRow(owner, from + n, start));
    await database.withConnection(owner.organization_id, ({ query }) =>
      query(`INSERT INTO crm_contacts SELECT * FROM json_populate_recordset(null::crm_contacts, $1::json)`, [
        JSON.stringify(rows),
      ]),
    );
  }
}

function contactRow(owner: { organization_id: string; user_id: string }, n: number, start: number) {
  const at = new Date(start + n * 60_000);
  const rare = n % 10_000 === 17 ? '勅使河原' : n % 10_000 === 18 ? '鰻田' : null;
  const person = {
    first_name: FIRST[n % FIRST.length]!,
    last_name: rare ?? LAST[(n * 5) % LAST.length]!,
    first_name_kana: FIRST_KANA[n % FIRST_KANA.length]!,
    last_name_kana: rare ? 'テシガワラ' : LAST_KANA[(n * 5) % LAST_KANA.length]!,
    email: `person${n}@example${n % 97}.co.jp`,
    phone: `03-${String(1000 + (n % 9000))}-${String(n % 10_000).padStart(4, '0')}`,
  };
  const search_text = personSearchText(person);
  return {
    ...owner,
    id: newId('cont', at),
    ...person,
    owner_id: owner.user_id,
    full_name: fullName(person),
    custom_fields: {},
    metadata: {},
    sort_name: personSortName(person),
    email_key: person.email,
    phone_digits: digitsOf(person.phone),
    search_text,
    search_grams: writtenGrams(search_text),
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  };
}
