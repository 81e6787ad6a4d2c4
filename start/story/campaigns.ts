import type { Caller, Json } from './caller.ts';
import type { Teller } from './teller.ts';

const AGREED = { basis: 'consent', source: '会員登録', at: '2026-04-01T09:30:00+09:00', tracking: true };

/** The sender of the story. One that the organization has already stays as it is. */
const SENDER = {
  sender_name: '株式会社青葉商会',
  sender_address: '東京都千代田区丸の内1-1-1',
  sender_contact: '03-1234-5678',
  default_from_name: '青葉商会',
  default_from_email: 'news@aoba.example.jp',
};

/** Who sends, and to whom: a list, of whom one has not agreed. Answers the list's ID. */
export async function addressed(api: Caller, tell: Teller, tag: string): Promise<string> {
  tell.chapter(
    'Who sends, and to whom',
    'The anti-spam act wants to be told the first, and a consent of the others.',
  );
  const { settings } = await api.get('/mail/settings', ({ settings: { sender_name } }) =>
    sender_name === null ? 'nobody sends yet' : `${sender_name} sends`,
  );
  const lacking = Object.entries(SENDER).filter(([field]) => settings[field] === null);
  if (lacking.length > 0) {
    await api.patch(
      '/mail/settings',
      Object.fromEntries(lacking),
      (made) => `${made['settings'].sender_name}, ${made['settings'].default_from_email}`,
    );
  }
  const { list } = await api.post('/mail/lists', { name: `会員 ${tag}` }, ({ list: { name } }) => name);
  for (const [name, last_name, consent] of [
    ['yamada', '山田', AGREED],
    ['suzuki', '鈴木', AGREED],
    ['sato', '佐藤', null],
  ] as const) {
    await api.post(
      '/mail/contacts',
      { email: `${name}-${tag}@example.jp`, last_name, list_id: list.id, consent },
      ({ contact }) => `${contact.email}${contact.consent ? '' : ', who has not agreed'}`,
    );
  }
  return list.id;
}

/** A campaign that passes its checks. Answers its ID. */
export async function drafted(api: Caller, tell: Teller, list_id: string): Promise<string> {
  tell.chapter('A campaign', 'Its checks say who would get it, and what would keep it from leaving.');
  const made = await api.post(
    '/mail/campaigns',
    {
      name: '春のお知らせ',
      subject: '春の新商品のご案内',
      list_ids: [list_id],
      track_clicks: true,
      body_html:
        '<p>{{last_name|お客様}} 様</p><p><a href="https://www.example.co.jp/spring">新商品を見る</a></p>',
    },
    ({ campaign: { status } }) => status,
  );
  const { id } = made['campaign'];
  await api.get(`/mail/campaigns/${id}/checks`, ({ checks: { ok, audience } }) => {
    const skipped = Object.entries(audience.skipped_by).map(([reason, count]) => `${reason} ${count}`);
    return `ok: ${ok}; ${audience.eligible} of ${audience.matched} get it; ${skipped.join(', ')}`;
  });
  return id;
}

/** The mails leave; the campaign tells what came of them. */
export async function mailed(api: Caller, tell: Teller, id: string): Promise<void> {
  tell.chapter('Sent', 'Recipients are settled at the start; nobody gets a mail twice.');
  const { job } = await api.post(
    `/mail/campaigns/${id}/send`,
    undefined,
    ({ campaign: { status } }) => status,
  );
  await api.follow(job);
  await api.get(`/mail/campaigns/${id}`, ({ campaign: { status, stats } }) => `${status}: ${figures(stats)}`);
  const { job: file } = await api.post(
    `/mail/campaigns/${id}/recipients/export`,
    { lang: 'ja' },
    () => 'a worker writes the file',
  );
  await api.follow(file);
  await api.download(`/jobs/${file.id}/file`, '1 recipients.csv');
}

function figures({ recipients, sent, failed, skipped, unknown }: Json): string {
  return `${recipients} recipients, of whom ${sent} sent, ${failed} failed, ${skipped} skipped, ${unknown} unknown`;
}
