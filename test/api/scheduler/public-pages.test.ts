import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { newOwner } from '../../support/people.ts';
import { type Desk, deskOf, newDesk } from '../../support/scheduler.ts';

const statements: string[] = [];
const own = await freshDatabase({ on_statement: (text) => statements.push(text) });
const app = await startApp({ database: own, environment: { BASE_URL: 'https://service.example.co.jp' } });
after(() => own.drop());

const pageOf = ({ organization_id }: Desk) => `/scheduler/p/${organization_id.replace('_', '-')}`;

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('what guests read of an organization', () => {
  test('is its active event types, without what is for members or for who has booked', async () => {
    const desk = await newDesk(app);
    await desk.done('PATCH', '/settings', { color: '#0f766e', cancel_policy: '前日までにご連絡ください' });
    const locations = [{ type: 'in_person', label: '本社', value: '東京都千代田区千代田1-1' }];
    await desk.eventType({ title: 'Interview', locations });
    await desk.eventType({ title: 'Closed', is_active: false });
    const gone = await desk.eventType({ title: 'Gone' });
    await desk.done('DELETE', `/event-types/${gone.id}`);
    const reply = await app.anonymous.get(`${pageOf(desk)}?locale=en`);
    const slug = desk.organization_id.replace('_', '-');
    assert.deepEqual(reply.body, {
      organization: {
        object: 'scheduler.public_organization',
        name: 'テスト株式会社',
        slug,
        color: '#0f766e',
        cancel_policy: '前日までにご連絡ください',
        week_starts_on: 'sunday',
        time_format: '24',
        locale: 'en',
      },
      event_types: [
        {
          object: 'scheduler.public_event_type',
          title: 'Interview',
          slug: 'interview',
          description: null,
          duration_minutes: 30,
          duration_options: [],
          seats_per_slot: 1,
          locations: [{ type: 'in_person', label: '本社' }],
          url: `https://service.example.co.jp/p/${slug}/interview`,
        },
      ],
    });
    assert.deepEqual(reply.headers.getSetCookie(), []);
  });

  test('is all that booking an event type needs, in the zone and language that are asked for', async () => {
    const desk = await newDesk(app);
    await desk.availability({ time_zone: 'Europe/Paris' });
    const questions = [{ id: 'topic', label: 'ご相談内容', type: 'short_text', required: true }];
    const type = await desk.eventType({
      title: 'Call',
      questions,
      confirmation: { mode: 'manual' },
      max_additional_guests: 3,
      locale: 'ja',
    });
    const shown = async (query: string) =>
      (await app.anonymous.get(`${pageOf(desk)}/call${query}`)).body.event_type;
    const { time_zone, locale, needs_confirmation, ...rest } = await shown('');
    assert.deepEqual([time_zone, locale, needs_confirmation], ['Europe/Paris', 'ja', true]);
    assert.deepEqual(rest.questions, type.questions);
    assert.equal(rest.max_additional_guests, 3);
    assert.equal(rest.id, undefined);
    const asked = await shown('?time_zone=asia/tokyo&locale=en');
    assert.deepEqual([asked.time_zone, asked.locale], ['Asia/Tokyo', 'en']);
    assert.equal(JSON.stringify(rest).includes('usr_'), false);
  });

  test('names who is certain to come, and nobody of those who take turns', async () => {
    const desk = await newDesk(app);
    const colleague = await desk.colleague();
    const members = [desk, colleague].map(({ user_id }) => ({ user_id }));
    await desk.eventType({ title: 'Single' });
    await desk.eventType({ title: 'Both', assignment: 'collective', members });
    const optional = { user_id: colleague.user_id, role: 'optional' };
    const mixed = [{ user_id: desk.user_id }, optional];
    await desk.eventType({ title: 'Mixed', assignment: 'collective', members: mixed });
    const rotating = { user_id: colleague.user_id, role: 'rotating' };
    await desk.eventType({
      title: 'Turns',
      assignment: 'round_robin',
      members: [{ user_id: desk.user_id, role: 'required' }, rotating],
    });
    const host = { name: '試験 太郎' };
    const hostsOf = async (slug: string) =>
      (await app.anonymous.get(`${pageOf(desk)}/${slug}`)).body.event_type.hosts;
    assert.deepEqual(await hostsOf('single'), [host]);
    assert.deepEqual(await hostsOf('both'), [host, host]);
    assert.deepEqual(await hostsOf('mixed'), [host]);
    assert.deepEqual(await hostsOf('turns'), []);
  });

  test('are the slots that members read, with four statements', async () => {
    const desk = await newDesk(app);
    const { id } = await desk.eventType({ title: 'Call' });
    const ahead = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10);
    const week = `?to=${ahead}&time_zone=Asia/Tokyo`;
    const path = `${pageOf(desk)}/call/slots`;
    statements.length = 0;
    const guest = await app.anonymous.get(`${path}${week}`);
    assert.equal(
      statements.filter((text) => /^\s*(select|with)/i.test(text) && !text.includes('set_config')).length,
      4,
    );
    const member = await desk.get(`/scheduler/event-types/${id}/slots${week}`);
    assert.ok(guest.body.slots.length > 0);
    assert.deepEqual(guest.body.slots, member.body.slots);
  });

  test('browsers are sent to the pages, but not from the slots', async () => {
    const desk = await newDesk(app);
    await desk.eventType({ title: 'Call' });
    const path = pageOf(desk);
    const page = path.replace('/scheduler', '');
    for (const [asked, shown] of [
      [path, page],
      [`${path}/call`, `${page}/call`],
    ] as const) {
      const reply = await app.anonymous.send('GET', asked, undefined, BROWSER);
      assert.deepEqual([reply.status, reply.headers.get('location')], [302, shown]);
    }
    assert.equal((await app.anonymous.send('GET', `${path}/call/slots`, undefined, BROWSER)).status, 200);
  });
});

describe('308', () => {
  /** The scheduler of an owner who may rename the organization, and its slug. */
  async function newSite() {
    const owner = await newOwner(app);
    const { slug } = (await owner.get('/organization')).body.organization;
    const rename = async (to: string) => {
      const reply = await owner.patch('/organization', { slug: to });
      assert.equal(reply.status, 200, reply.text);
    };
    await deskOf(app, owner, owner).eventType({ title: 'Call' });
    return { slug, rename };
  }

  const leads = async (path: string, method = 'GET') => {
    const { status, headers } = await fetch(`${app.base_url}${path}`, { method, redirect: 'manual' });
    if (status === 308) assert.equal(headers.get('cache-control'), 'no-store');
    return [status, headers.get('location')];
  };

  test('pages and calls lead on whose organization has another slug by now', async () => {
    const { slug, rename } = await newSite();
    await rename(`${slug}-new`);
    await rename(`${slug}-newer`);
    for (const old of [slug, `${slug}-new`]) {
      const query = '?lang=en&utm_source=x%26';
      assert.deepEqual(await leads(`/p/${old}/call${query}`), [308, `/p/${slug}-newer/call${query}`]);
    }
    const calls = '/api/v1/scheduler/p';
    assert.deepEqual(await leads(`${calls}/${slug}/call/slots`), [308, `${calls}/${slug}-newer/call/slots`]);
    for (const path of [`/p/${slug}/call`, `${calls}/${slug}/call/book`]) {
      assert.deepEqual(await leads(path, 'POST'), [308, path.replace(slug, `${slug}-newer`)]);
    }
    const page = await fetch(`${app.base_url}/p/${slug}/call`);
    assert.deepEqual([page.status, new URL(page.url).pathname], [200, `/p/${slug}-newer/call`]);
  });

  test('until another organization takes the slug; a word of the path is no slug', async () => {
    const [first, other] = [await newSite(), await newSite()];
    const { slug } = first;
    await first.rename('scheduler');
    await other.rename(slug);
    assert.equal((await app.anonymous.get(`/scheduler/p/${slug}/call`)).body.organization.slug, slug);
    await other.rename(`${slug}-other`);
    assert.deepEqual(await leads(`/p/${slug}/call`), [308, `/p/${slug}-other/call`]);
    await first.rename(slug);
    assert.deepEqual(await leads('/api/v1/scheduler/p/scheduler/call/slots'), [
      308,
      `/api/v1/scheduler/p/${slug}/call/slots`,
    ]);
    assert.equal((await app.anonymous.get(`/scheduler/p/${slug}/call`)).status, 200);
  });
});

describe('404', () => {
  test('for an organization or event type that does not exist, is not active or was deleted', async () => {
    const desk = await newDesk(app);
    const other = await newDesk(app);
    await other.eventType({ title: 'Elsewhere' });
    const { id } = await desk.eventType({ title: 'Call', is_active: false });
    const asked = [
      '/scheduler/p/nobody',
      '/scheduler/p/nobody/call',
      `${pageOf(desk)}/call`,
      `${pageOf(desk)}/elsewhere`,
    ];
    for (const path of [...asked, ...asked.slice(1).map((one) => `${one}/slots`)]) {
      assert.equal((await app.anonymous.get(path)).status, 404, path);
    }
    await desk.done('PATCH', `/event-types/${id}`, { is_active: true });
    assert.equal((await app.anonymous.get(`${pageOf(desk)}/call`)).status, 200);
    await desk.done('DELETE', `/event-types/${id}`);
    assert.equal((await app.anonymous.get(`${pageOf(desk)}/call`)).status, 404);
  });
});

describe('429', () => {
  test('for an address that reads more than half of what a credential may', async () => {
    const strict = await startApp({
      environment: { RATE_LIMIT_PER_MINUTE: '20' },
      now: () => new Date('2026-11-26T00:00:00Z'),
    });
    const desk = await newDesk(strict);
    await desk.eventType({ title: 'Call' });
    for (let sent = 0; sent < 10; sent += 1) {
      assert.equal((await strict.anonymous.get(`${pageOf(desk)}/call/slots`)).status, 200);
    }
    const over = await strict.anonymous.get(`${pageOf(desk)}/call/slots`);
    assert.equal(over.status, 429, over.text);
    assert.match(over.headers.get('ratelimit-policy') ?? '', /"public_read";q=10;w=60/);
  });
});
