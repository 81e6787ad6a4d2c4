import type { Sales } from './deals.ts';

/** Records of the CRM and of mail contacts whose texts an export has to quote, to escape or to replace. */
export async function makeExportRecords(make: Sales['make']) {
  const tags = {
    loud: await make('/crm/tags', { name: 'A;B\\C' }),
    calm: await make('/crm/tags', { name: '重要' }),
  };
  await make('/crm/custom-fields', { kind: 'contact', key: 'rank', label: 'ランク', type: 'text' });
  await make('/crm/custom-fields', { kind: 'contact', key: 'score', label: '点', type: 'number' });
  await make('/crm/custom-fields', {
    kind: 'contact',
    key: 'hobbies',
    label: '趣味',
    type: 'multi_select',
    options: ['釣り', '山;川'],
  });
  const company = await make('/crm/companies', {
    name: '株式会社山田商店',
    external_id: 'K-1',
    capital: 10_000_000,
    payment_terms: { closing_day: 20, months_later: 1, pay_day: 'end' },
  });
  const hanako = await make('/crm/contacts', {
    last_name: '山田',
    first_name: '花子',
    email: 'hanako@example.com',
    company_id: company.id,
    phone: '+81-3-1234-5678',
    note: '=SUM(A1)\n"二行目", ＝三',
    external_id: '-7',
    custom_fields: { rank: '@A', score: -1.5, hobbies: ['釣り', '山;川'] },
  });
  const taro = await make('/crm/contacts', { last_name: '髙橋', first_name: '太郎〜', position: '😀部長' });
  for (const tag of [tags.loud, tags.calm]) {
    await make('/crm/tag-assignments', { tag_id: tag.id, resource_type: 'contact', resource_id: hanako.id });
  }
  const deal = await make('/crm/deals', {
    name: '更新',
    amount: '1000.5',
    currency: 'USD',
    probability: 33,
    company_id: company.id,
    contact_ids: [taro.id, hanako.id],
  });
  await make('/crm/activities', { type: 'call', content: '電話', contact_id: hanako.id, deal_id: deal.id });
  const mailing = await make('/mail/lists', { name: '会報' });
  const subscriber = await make('/mail/contacts', {
    email: '+news@example.com',
    last_name: '林',
    list_id: mailing.id,
    attributes: { 会社名: '-商店', email: 'よそのメール' },
    consent: { basis: 'published', source: 'web', at: '2026-04-01T09:00:00+09:00' },
  });
  await make('/mail/contacts', { email: 'b@example.com', attributes: { 年齢: '41' } });
  await make('/mail/suppressions', { email: 'never@example.com', reason: '電話で依頼' });
  return { tags, company, hanako, taro, deal, mailing, subscriber };
}
