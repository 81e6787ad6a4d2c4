import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { newDesk } from '../../support/scheduler.ts';

const app = await startApp({ environment: { BASE_URL: 'https://service.example.co.jp' } });

const PATH = '/scheduler/event-types';

describe('an event type', () => {
  test('has the defaults of the reference, its creator as member and the address of its page', async () => {
    const desk = await newDesk(app);
    const reply = await desk.post(PATH, { title: 'Intro call', duration_minutes: 30 });
    assert.equal(reply.status, 201, reply.text);
    const { id, created_at, updated_at, url, ...type } = reply.body.event_type;
    assert.equal(reply.headers.get('location'), `/api/v1${PATH}/${id}`);
    assert.match(url, /^https:\/\/service\.example\.co\.jp\/p\/org-[a-z0-9]+\/intro-call$/);
    assert.equal(created_at, updated_at);
    assert.deepEqual(type, {
      object: 'scheduler.event_type',
      title: 'Intro call',
      slug: 'intro-call',
      description: null,
      duration_minutes: 30,
      duration_options: [],
      slot_interval_minutes: null,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      min_notice_minutes: 120,
      booking_window: { type: 'rolling_days', days: 60 },
      limits: {
        per_day: null,
        per_week: null,
        per_month: null,
        minutes_per_day: null,
        active_per_guest: null,
      },
      seats_per_slot: 1,
      confirmation: { mode: 'auto', expires_after_minutes: 1440, pending_blocks: true },
      locations: [],
      questions: [],
      assignment: 'single',
      time_zone: null,
      members: [{ user_id: desk.user_id, role: 'required', priority: 2, availability_id: null }],
      max_additional_guests: 0,
      cancel_cutoff_minutes: 0,
      reschedule_cutoff_minutes: 0,
      reminders: null,
      locale: null,
      is_active: true,
      external_id: null,
      metadata: {},
    });
    const read = await desk.get(`${PATH}/${id}`);
    assert.deepEqual(read.body, reply.body);
    assert.equal(read.headers.get('etag'), reply.headers.get('etag'));
  });

  test('keeps everything that was sent, and a change replaces nested objects and lists whole', async () => {
    const desk = await newDesk(app);
    const sent = {
      title: '面談',
      slug: 'mendan',
      description: 'ご相談\nください',
      duration_minutes: 45,
      duration_options: [30, 60],
      slot_interval_minutes: 15,
      buffer_before_minutes: 5,
      buffer_after_minutes: 10,
      min_notice_minutes: 0,
      booking_window: { type: 'range', from: '2026-12-01', to: '2026-12-31' },
      limits: { per_day: 3, minutes_per_day: 90 },
      confirmation: { mode: 'manual', pending_blocks: false },
      locations: [{ type: 'in_person', label: '本社', value: '千代田1-1' }, { type: 'google_meet' }],
      questions: [
        {
          id: 'topic',
          label: 'ご相談内容',
          type: 'single_choice',
          required: true,
          options: ['契約', 'その他'],
        },
        { id: 'note', label: '備考', type: 'long_text' },
      ],
      time_zone: 'europe/paris',
      max_additional_guests: 2,
      cancel_cutoff_minutes: null,
      reschedule_cutoff_minutes: 60,
      reminders: [{ minutes_before: 60, to: 'guest' }],
      locale: 'en',
      is_active: false,
      external_id: 'K-1',
      metadata: { b: '2', a: '1' },
    };
    const made = await desk.post(PATH, sent);
    assert.equal(made.status, 201, made.text);
    const type = made.body.event_type;
    assert.deepEqual(
      [type.time_zone, type.limits, type.confirmation, type.locations[1], type.questions[1]],
      [
        'Europe/Paris',
        { per_day: 3, per_week: null, per_month: null, minutes_per_day: 90, active_per_guest: null },
        { mode: 'manual', expires_after_minutes: 1440, pending_blocks: false },
        { type: 'google_meet', label: null, value: null },
        { id: 'note', label: '備考', type: 'long_text', required: false, options: [] },
      ],
    );
    const kept = [
      'slug',
      'description',
      'duration_options',
      'booking_window',
      'reminders',
      'metadata',
    ] as const;
    for (const name of kept) assert.deepEqual(type[name], sent[name], name);
    const again = await desk.patch(`${PATH}/${type.id}`, sent);
    assert.equal(again.headers.get('etag'), made.headers.get('etag'), 'the same once more is not a change');
    const changed = await desk.patch(`${PATH}/${type.id}`, {
      limits: { per_week: 5 },
      booking_window: { type: 'none' },
      locations: [],
      metadata: { a: null },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body.event_type.limits.per_day, null);
    assert.deepEqual(changed.body.event_type, {
      ...type,
      limits: { ...type.limits, per_day: null, per_week: 5, minutes_per_day: null },
      booking_window: { type: 'none' },
      locations: [],
      metadata: { b: '2' },
      updated_at: changed.body.event_type.updated_at,
    });
    assert.deepEqual((await desk.get(`${PATH}/${type.id}`)).body, changed.body);
  });

  test('is refused where a field is wrong, at its place', async () => {
    const desk = await newDesk(app);
    const cases: [object, string][] = [
      [{ duration_minutes: 0 }, '/duration_minutes too_small'],
      [{ duration_minutes: 1441 }, '/duration_minutes too_large'],
      [{ title: '題\n名' }, '/title invalid_characters'],
      [{ title: 'あ'.repeat(121) }, '/title too_long'],
      [{ slug: '-a' }, '/slug invalid_format'],
      [{ duration_options: [60, 60] }, '/duration_options duplicate'],
      [{ duration_options: [60, 30] }, '/duration_options/1 duplicate'],
      [{ duration_options: [1, 2, 3, 4, 5, 6] }, '/duration_options too_large'],
      [{ time_zone: '+09:00' }, '/time_zone invalid_time_zone'],
      [{ time_zone: 'JST' }, '/time_zone invalid_time_zone'],
      [{ time_zone: 'Tokyo' }, '/time_zone invalid_time_zone'],
      [
        { booking_window: { type: 'range', from: '2026-12-02', to: '2026-12-01' } },
        '/booking_window/to too_small',
      ],
      [{ booking_window: { type: 'range', from: '2026-12-02' } }, '/booking_window/to required'],
      [{ booking_window: { type: 'rolling_days', days: 731 } }, '/booking_window/days too_large'],
      [{ limits: { per_day: 0 } }, '/limits/per_day too_small'],
      [{ reminders: [{ minutes_before: 4, to: 'both' }] }, '/reminders/0/minutes_before too_small'],
      [{ questions: [{ id: 'a', label: 'a', type: 'single_choice' }] }, '/questions/0/options required'],
      [
        { questions: [{ id: 'a', label: 'a', type: 'number', options: ['1'] }] },
        '/questions/0/options not_allowed',
      ],
      [
        {
          questions: [
            { id: 'a', label: 'a', type: 'number' },
            { id: 'a', label: 'b', type: 'date' },
          ],
        },
        '/questions/1/id duplicate',
      ],
      [{ url: 'x' }, '/url unknown_field'],
    ];
    for (const [fields, fault] of cases) {
      const reply = await desk.post(PATH, { title: '面談', duration_minutes: 30, ...fields });
      assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [fault]], JSON.stringify(fields));
    }
  });

  test('of several seats is neither for round robin nor for manual confirmation', async () => {
    const desk = await newDesk(app);
    const seats = await desk.eventType({ seats_per_slot: 5 });
    for (const patch of [{ confirmation: { mode: 'manual' } }, { assignment: 'round_robin' }]) {
      const reply = await desk.patch(`${PATH}/${seats.id}`, patch);
      assert.deepEqual([reply.status, reply.body.code], [422, 'seats_mismatch']);
    }
    const made = await desk.post(PATH, {
      title: '面談',
      duration_minutes: 30,
      seats_per_slot: 2,
      assignment: 'round_robin',
    });
    assert.deepEqual([made.status, faultsIn(made.body)], [422, ['/seats_per_slot seats_mismatch']]);
  });

  test('changes and goes for whoever saw its last revision alone; the audit log has all of it and no event', async () => {
    const desk = await newDesk(app);
    const told = await toldBy(app, desk.organization_id, async () => {
      const { body, headers } = await desk.post(PATH, { title: '面談', duration_minutes: 30 });
      const path = `${PATH}/${body.event_type.id}`;
      const stale = { 'If-Match': headers.get('etag')! };
      assert.equal((await desk.patch(path, { duration_minutes: 60 }, stale)).status, 200);
      for (const reply of [
        await desk.patch(path, { duration_minutes: 90 }, stale),
        await desk.delete(path, stale),
        await desk.post(`${path}/members`, { members: [{ user_id: desk.user_id }] }, stale),
      ]) {
        assert.equal(reply.status, 412, reply.text);
      }
      assert.equal((await desk.delete(path)).status, 200);
      assert.deepEqual([(await desk.delete(path)).status, (await desk.get(path)).status], [404, 404]);
    });
    assert.deepEqual(
      told.audit.map(({ entity_type, action }) => `${entity_type} ${action}`),
      ['event_type create', 'event_type update', 'event_type delete'],
    );
    assert.deepEqual(told.audit[1]!.changes, { duration_minutes: [30, 60] });
    assert.deepEqual(told.events, []);
  });
});

describe('the slug', () => {
  test('comes from the title; a title without letters, or whose slug is taken, gets 8 characters', async () => {
    const desk = await newDesk(app);
    const slugs = [];
    for (const title of ['Café Intro — 30', '面談 30分', 'Cafe intro 30']) {
      slugs.push((await desk.eventType({ title })).slug);
    }
    assert.equal(slugs[0], 'cafe-intro-30');
    for (const slug of slugs.slice(1)) assert.match(slug, /^[a-z0-9]{8}$/);
  });

  test('of one organization is of one event type, which a refusal names; a deleted one frees its own', async () => {
    const desk = await newDesk(app);
    const first = await desk.eventType({ slug: 'intro', external_id: 'K-1' });
    const second = await desk.eventType();
    for (const reply of [
      await desk.post(PATH, { title: 'x', duration_minutes: 30, slug: 'intro' }),
      await desk.patch(`${PATH}/${second.id}`, { slug: 'intro' }),
      await desk.patch(`${PATH}/${second.id}`, { external_id: 'K-1' }),
    ]) {
      assert.deepEqual(
        [reply.status, reply.body.code, reply.body.existing_id],
        [409, 'already_exists', first.id],
      );
    }
    assert.equal((await desk.delete(`${PATH}/${first.id}`)).status, 200);
    assert.equal((await desk.eventType({ slug: 'intro', external_id: 'K-1' })).slug, 'intro');
    assert.equal((await (await newDesk(app)).eventType({ slug: 'intro' })).slug, 'intro');
  });

  test('of 20 that are made with one title at the same time goes to one; none is refused', async () => {
    const desk = await newDesk(app);
    const types = await Promise.all(Array.from({ length: 20 }, () => desk.eventType({ title: 'Intro' })));
    const slugs = types.map(({ slug }) => slug);
    assert.equal(new Set(slugs).size, 20);
    assert.equal(slugs.filter((slug) => slug === 'intro').length, 1);
  });
});

describe('the list', () => {
  test('is narrowed by activity, host, letters, slug, own ID and the last change', async () => {
    const desk = await newDesk(app);
    const other = await desk.colleague();
    await desk.eventType({ title: '営業面談', slug: 'sales', external_id: 'K-1' });
    await desk.eventType({ title: '採用', description: '二次面談です', is_active: false });
    await other.eventType({ title: '相談' });
    const deleted = await desk.eventType({ title: '廃止した面談' });
    await desk.delete(`${PATH}/${deleted.id}`);
    const titles = async (query: string) => {
      const { status, body, text } = await other.get(`${PATH}?${query}`);
      assert.equal(status, 200, text);
      return body.items.map(({ title }: { title: string }) => title).sort();
    };
    assert.deepEqual(await titles(''), ['営業面談', '採用', '相談'].sort());
    assert.deepEqual(await titles('is_active=false'), ['採用']);
    assert.deepEqual(await titles(`user_id=${other.user_id}`), ['相談']);
    assert.deepEqual(await titles(`search=${encodeURIComponent('面談')}`), ['営業面談', '採用'].sort());
    assert.deepEqual(await titles('slug=sales'), ['営業面談']);
    assert.deepEqual(await titles('external_id=K-1,K-2'), ['営業面談']);
    assert.deepEqual(await titles('updated_after=2999-01-01T00:00:00Z'), []);
  });
});
