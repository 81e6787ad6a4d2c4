import { type SeededField, seedResponses } from '../../support/many-responses.ts';
import type { BenchForms } from './office.ts';

const choice = (ids: readonly string[]) => ids.map((id) => ({ id, label: `選択肢 ${id}` }));
const isRepair = { field: 'kind', op: 'equals', value: 'repair' };

/** Twelve fields on three pages, with four conditions. */
const pages: { id: string; fields: SeededField[] }[] = [
  {
    id: 'who',
    fields: [
      { id: 'company', type: 'short_text', label: '会社名' },
      { id: 'person', type: 'name', label: 'お名前', required: true },
      { id: 'email', type: 'email', label: 'メールアドレス', required: true },
      { id: 'phone', type: 'phone', label: '電話番号' },
    ],
  },
  {
    id: 'what',
    fields: [
      { id: 'kind', type: 'choice', label: '種別', required: true, options: choice(['new', 'repair']) },
      { id: 'model', type: 'short_text', label: '型番', show_if: isRepair },
      { id: 'since', type: 'date', label: '発生日', show_if: isRepair },
      { id: 'seats', type: 'number', label: '台数', required: true },
      {
        id: 'budget',
        type: 'number',
        label: 'ご予算',
        show_if: { field: 'kind', op: 'equals', value: 'new' },
        required_if: { field: 'seats', op: 'gte', value: '100' },
      },
    ],
  },
  {
    id: 'more',
    fields: [
      { id: 'parts', type: 'multi_choice', label: '対象', options: choice(['case', 'cable', 'screen']) },
      { id: 'again', type: 'nps', label: 'おすすめ度' },
      { id: 'message', type: 'long_text', label: 'ご質問' },
    ],
  },
];

/** What somebody answers to it, each time a little else. */
export function answersTo(n: number): Record<string, unknown> {
  return {
    company: '山田商事株式会社',
    person: { last_name: '山田', first_name: '花子' },
    email: `guest${n}@example.com`,
    phone: '03-1234-5678',
    kind: 'repair',
    model: `X-${n % 500}`,
    since: '2026-11-20',
    seats: String((n % 90) + 1),
    parts: ['case', 'screen'],
    again: n % 11,
    message: `先週から電源が入らないことがあります。お手すきの際にご連絡ください。受付番号 ${n}`,
  };
}

/** A published form of twelve fields with so many responses; `settings` are those that differ from the default. */
export async function formOfTwelve(
  { call, database, actor }: BenchForms,
  settings: object,
  count: number,
): Promise<{ id: string; slug: string }> {
  const schema_json = JSON.stringify({ version: 1, locale: 'ja', pages });
  const { form } = await call('POST', '/forms', { title: 'お問い合わせ', schema_json });
  await call('PATCH', `/forms/${form.id}/settings`, settings);
  await call('POST', `/forms/${form.id}/publish`);
  const fields = pages.flatMap((page) => page.fields);
  await seedResponses(database, actor, { form_id: form.id, fields }, count, (n) => ({ data: answersTo(n) }));
  return form;
}
