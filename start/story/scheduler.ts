import type { Caller, Json } from './caller.ts';
import type { Teller } from './teller.ts';

/** An event type as the story goes on with it: its ID, and the part of public paths that names it. */
type Offered = { id: string; site: string; page: string };

const minute = (start: string) => start.slice(0, 16).replace('T', ' ');

/** What can be booked: a talk with questions, a visit for several guests, and a request that waits for confirmation. */
export async function offered(
  api: Caller,
  tell: Teller,
): Promise<{ talk: Offered; visit: Offered; request: Offered }> {
  tell.chapter(
    'What guests can book',
    'An event type has a page of its own; whoever has the address books there.',
  );
  await api.patch(
    '/scheduler/settings',
    { color: '#2f6f5e', cancel_policy: '前日の18時までにご連絡ください。' },
    ({ settings: { color, time_zone } }) => `pages in ${color}, days in ${time_zone}`,
  );
  const talk = await eventType(api, {
    title: 'オンライン相談',
    description: 'お困りごとをうかがい、次の一歩を一緒に考えます。',
    duration_minutes: 30,
    duration_options: [60],
    locations: [{ type: 'link', label: null, value: 'https://meet.example/aoba' }],
    questions: [{ id: 'topic', label: 'ご相談内容', type: 'long_text', required: true }],
    limits: { per_day: 4 },
    buffer_after_minutes: 10,
  });
  const visit = await eventType(api, {
    title: '焙煎所の見学会',
    duration_minutes: 90,
    seats_per_slot: 5,
    locations: [{ type: 'in_person', label: '本社焙煎所', value: '東京都渋谷区神宮前1-2-3' }],
  });
  const request = await eventType(api, {
    title: '取材のお申し込み',
    duration_minutes: 60,
    confirmation: { mode: 'manual' },
  });
  tell.say('Open the first address in a browser: a month, the times of a day, a form.');
  return { talk, visit, request };
}

async function eventType(api: Caller, fields: Json): Promise<Offered> {
  const { event_type } = await api.post(
    '/scheduler/event-types',
    fields,
    (answer) => answer['event_type'].url,
  );
  const { id, url } = event_type;
  return { id, page: url, site: new URL(url).pathname };
}

/** A guest books, somebody comes second, and the first one changes the booking twice. */
export async function booked(api: Caller, tell: Teller, { site }: Offered): Promise<void> {
  tell.chapter('A booking', 'The first guest has the time. The database lets nobody else have it.');
  const starts = await startsOf(api, site);
  const [first = '', second = ''] = starts;
  const booking = await book(api, site, { start: first, name: '佐藤 花子', topic: '開業の相談' });
  const again = { start: first, guest: guest('鈴木 一郎'), answers: { topic: '見積もり' } };
  await api.refused(`/scheduler${site}/book`, again, ({ status, title }) => `${status} ${title}`);
  tell.chapter('The link of a booking', 'Who has it is the guest: moves the booking, and cancels it.');
  await api.post(
    `/scheduler/b/${booking.token}/reschedule`,
    { start: second },
    (answer) =>
      `the same booking, revision ${answer['booking'].revision}, at ${minute(answer['booking'].start)}`,
  );
  await api.post(
    `/scheduler/b/${booking.token}/cancel`,
    { reason: '急用のため' },
    (answer) => `${answer['booking'].status}: its time is free again`,
  );
  const kept = await book(api, site, { start: first, name: '高橋 美咲', topic: '店舗の内装' });
  tell.say(`The page of this booking: ${kept.guest_url}`);
}

/** Guests share a start, each with a booking of their own. */
export async function seated(api: Caller, tell: Teller, { site }: Offered): Promise<void> {
  tell.chapter(
    'A start with five seats',
    'Each guest has a booking, a link and mails; the host has one entry.',
  );
  const starts = await startsOf(api, site);
  const start = starts.at(-1)!;
  for (const name of ['田中 翔', '伊藤 葵', '渡辺 蓮']) await book(api, site, { start, name });
  await api.get(`/scheduler${site}/slots?from=${start}`, ({ slots }) => `${slots[0].seats_left} seats left`);
}

/** A request that waits until a member confirms it. */
export async function confirmed(api: Caller, tell: Teller, { site }: Offered): Promise<void> {
  tell.chapter('A request to confirm', 'It keeps its time while it waits.');
  const [start = ''] = (await startsOf(api, site)).slice(-3);
  const { booking } = await book(api, site, { start, name: '中村 陽' });
  await api.post(
    `/scheduler/bookings/${booking.id}/confirm`,
    undefined,
    (answer) => `${booking.status}, then ${answer['booking'].status}`,
  );
}

/** Three times are proposed and held; the guest takes one, and the others are free again. */
export async function proposed(api: Caller, tell: Teller, { id, site }: Offered): Promise<void> {
  tell.chapter('A proposal', 'Several times are held for one guest, who chooses.');
  const starts = await startsOf(api, site);
  const candidates = starts.slice(-3).map((start) => ({ start }));
  const made = await api.post(
    '/scheduler/proposals',
    {
      event_type_id: id,
      candidates,
      guest: { name: '小林 結衣', email: 'yui@example.jp' },
      message: 'ご都合のよい日時をお選びください。',
    },
    ({ proposal }) => `${proposal.candidates.length} times held until ${minute(proposal.expires_at)}`,
  );
  tell.say(`The page of the guest: ${made['guest_url']}`);
  const token = made['guest_url'].split('/').at(-1)!;
  await api.post(
    `/scheduler/pr/${token}/accept`,
    { start: candidates[1]!.start, answers: { topic: '契約の確認' } },
    ({ proposal, booking }) => `${proposal.status}: ${minute(booking.start)} is booked, the others are free`,
  );
}

/** What members see of it all. */
export async function overseen(api: Caller, tell: Teller): Promise<void> {
  tell.chapter('What members see', 'Bookings in a list, and what is ahead.');
  await api.get('/scheduler/bookings?status=confirmed,pending&sort=start:asc', ({ items }) =>
    items.map(({ start, title, guest: { name } }: Json) => `${minute(start)} ${title} (${name})`).join('; '),
  );
  await api.get(
    '/scheduler/dashboard',
    ({ dashboard: { next_7_days, pending, proposals_open } }) =>
      `${next_7_days} in the next seven days, ${pending} to confirm, ${proposals_open} proposals open`,
  );
}

async function startsOf(api: Caller, site: string): Promise<string[]> {
  const { slots } = await api.get(
    `/scheduler${site}/slots?time_zone=Asia/Tokyo`,
    (answer) => `${answer['slots'].length} starts, the first at ${answer['slots'][0].local_start}`,
  );
  return slots.map(({ start }: Json) => start);
}

function guest(name: string): Json {
  return { name, email: `${name.codePointAt(0)}@example.jp`, time_zone: 'Asia/Tokyo', locale: 'ja' };
}

function book(
  api: Caller,
  site: string,
  { start, name, topic }: { start: string; name: string; topic?: string },
): Promise<{ booking: Json; token: string; guest_url: string }> {
  const body = { start, guest: guest(name), ...(topic && { answers: { topic } }) };
  return api.post(
    `/scheduler${site}/book`,
    body,
    ({ booking }) => `${booking.status}: ${name}, ${minute(booking.start)}`,
  ) as never;
}
