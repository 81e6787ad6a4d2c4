import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { toldBy } from '../../support/facts.ts';
import { lettersAbout } from '../../support/letters.ts';
import { type Desk, newDesk } from '../../support/scheduler.ts';

/** A Thursday, 09:00 in Japan. */
const START = new Date('2026-11-26T00:00:00.000Z');
let now = START;
const app = await startApp({ now: () => now });

const PROPOSALS = '/scheduler/proposals';
const GUEST = { name: '佐藤 花子', email: 'hanako@example.co.jp' };
const friday = (time: string) => `2026-11-27T${time}:00.000Z`;

const input = (by: Desk, starts: readonly string[], more: object = {}) => ({
  title: 'お打ち合わせ',
  duration_minutes: 60,
  user_ids: [by.user_id],
  candidates: starts.map((start) => ({ start })),
  guest: GUEST,
  ...more,
});

async function propose(by: Desk, starts: readonly string[], more: object = {}) {
  const reply = await by.post(PROPOSALS, input(by, starts, more));
  assert.equal(reply.status, 201, reply.text);
  const guest_url: string = reply.body.guest_url;
  return { ...reply.body.proposal, guest_url, path: `/scheduler${new URL(guest_url).pathname}` };
}

/** What the hosts' time is taken by. */
const spans = (by: Desk) =>
  app.database.withConnection(by.organization_id, ({ query }) =>
    query<{ start: string; end: string }>(
      'SELECT "start", "end" FROM scheduler_occupancies WHERE organization_id = $1 ORDER BY user_id, "start"',
      [by.organization_id],
    ),
  );

const faults = ({ body }: { body: { errors?: { path: string; code: string }[] } }) =>
  (body.errors ?? []).map(({ path, code }) => [path, code]);

describe('POST /proposals', () => {
  test('201: all times are held for each host, those that overlap as one span', async () => {
    const owner = await newDesk(app);
    const colleague = await owner.colleague();
    const user_ids = [owner.user_id, colleague.user_id];
    const starts = [friday('03:00'), friday('01:00'), friday('01:30')];
    const proposal = await propose(owner, starts, {
      user_ids,
      external_id: 'P-1',
      message: 'ご検討ください',
    });
    assert.deepEqual(
      proposal.candidates.map(({ start, end, available }: Record<string, unknown>) => [
        start,
        end,
        available,
      ]),
      [
        [friday('01:00'), friday('02:00'), true],
        [friday('01:30'), friday('02:30'), true],
        [friday('03:00'), friday('04:00'), true],
      ],
    );
    assert.deepEqual(proposal.guest, { ...GUEST, time_zone: 'Asia/Tokyo', locale: 'ja' });
    assert.deepEqual(
      [proposal.status, proposal.hold, proposal.expires_at, proposal.available_actions, proposal.user_ids],
      ['open', 'tentative', friday('03:00'), ['withdraw'], user_ids],
    );
    const held = [
      { start: friday('01:00'), end: friday('02:30') },
      { start: friday('03:00'), end: friday('04:00') },
    ];
    assert.deepEqual(await spans(owner), [...held, ...held]);
    const found = await owner.get(`${PROPOSALS}?external_id=P-1&status=open&user_id=${colleague.user_id}`);
    assert.equal(found.body.total, 1);
  });

  test('409 slot_taken names each candidate that another proposal holds; nothing is kept of it', async () => {
    const owner = await newDesk(app);
    await propose(owner, [friday('01:00')]);
    const starts = [friday('00:00'), friday('00:30'), friday('02:00'), friday('01:59')];
    const refused = await owner.post(PROPOSALS, input(owner, starts));
    assert.deepEqual([refused.status, refused.body.code], [409, 'slot_taken']);
    assert.deepEqual(faults(refused), [
      ['/candidates/1/start', 'busy'],
      ['/candidates/3/start', 'busy'],
    ]);
    assert.equal((await spans(owner)).length, 1);
    assert.equal((await owner.get(PROPOSALS)).body.total, 1);
  });

  test('hold none takes no time, and tells by now which candidates are free', async () => {
    const owner = await newDesk(app);
    const open = await propose(owner, [friday('01:00'), friday('02:00')], { hold: 'none' });
    assert.deepEqual(await spans(owner), []);
    await propose(owner, [friday('02:30')]);
    const { proposal } = (await owner.get(`${PROPOSALS}/${open.id}`)).body;
    assert.deepEqual(
      proposal.candidates.map(({ available }: { available: boolean }) => available),
      [true, false],
    );
  });

  test('20 proposals of one time at once: one is held, the others are 409', async () => {
    const owner = await newDesk(app);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => owner.post(PROPOSALS, input(owner, [friday('05:00')]))),
    );
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    assert.equal((await spans(owner)).length, 1);
  });

  const WRONG: [name: string, more: object, status: number, faults: [path: string, code: string][]][] = [
    ['no candidate', { candidates: [] }, 422, [['/candidates', 'too_small']]],
    [
      'a candidate twice',
      { candidates: [{ start: friday('01:00') }, { start: '2026-11-27T10:00:00+09:00' }] },
      422,
      [['/candidates/1/start', 'duplicate']],
    ],
    [
      'a start within a minute',
      { candidates: [{ start: '2026-11-27T01:00:30Z' }] },
      422,
      [['/candidates/0/start', 'invalid_value']],
    ],
    [
      'a start that is past',
      { candidates: [{ start: '2026-11-25T23:59:00Z' }, { start: friday('01:00') }] },
      422,
      [['/candidates/0/start', 'past']],
    ],
    [
      'a start in three years',
      { candidates: [{ start: '2029-11-27T01:00:00Z' }] },
      422,
      [['/candidates/0/start', 'beyond_window']],
    ],
    ['an end after the last candidate', { expires_at: friday('01:01') }, 422, [['/expires_at', 'too_large']]],
    ['an end that is past', { expires_at: '2026-11-26T00:00:00Z' }, 422, [['/expires_at', 'in_the_past']]],
    [
      'no host without an event type',
      { user_ids: undefined, title: undefined },
      422,
      [
        ['/title', 'required'],
        ['/user_ids', 'required'],
      ],
    ],
    [
      'a zone that is an offset',
      { guest: { ...GUEST, time_zone: '+09:00' } },
      422,
      [['/guest/time_zone', 'invalid_time_zone']],
    ],
    [
      'a line end in the name of the guest',
      { guest: { ...GUEST, name: '佐藤\r\nBcc: x@example.com' } },
      422,
      [['/guest/name', 'invalid_characters']],
    ],
  ];
  for (const [name, more, status, expected] of WRONG) {
    test(`${status}: ${name}`, async () => {
      const owner = await newDesk(app);
      const refused = await owner.post(PROPOSALS, input(owner, [friday('01:00')], more));
      assert.equal(refused.status, status, refused.text);
      assert.deepEqual(faults(refused), expected);
    });
  }

  test('422 unknown_reference: who is not a member, or has left', async () => {
    const owner = await newDesk(app);
    const stranger = await newDesk(app);
    const refused = await owner.post(
      PROPOSALS,
      input(owner, [friday('01:00')], { user_ids: [owner.user_id, stranger.user_id] }),
    );
    assert.deepEqual([refused.status, faults(refused)], [422, [['/user_ids/1', 'unknown_reference']]]);
  });
});

describe('an open proposal', () => {
  test('is withdrawn once: its times are free at once, the guest reads that it is over', async () => {
    const owner = await newDesk(app);
    const proposal = await propose(owner, [friday('01:00')]);
    const told = await toldBy(app, owner.organization_id, async () => {
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => owner.post(`${PROPOSALS}/${proposal.id}/withdraw`)),
      );
      assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array(9).fill(409)]);
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['scheduler.proposal.withdrawn'],
    );
    assert.deepEqual(told.audit[0]!.changes, { status: ['open', 'withdrawn'] });
    assert.deepEqual(await spans(owner), []);
    const { body } = await app.anonymous.get(proposal.path);
    assert.deepEqual([body.proposal.status, body.proposal.available_actions], ['withdrawn', []]);
  });

  test('is declined by its guest, who is named in the log and whose words are masked there', async () => {
    const owner = await newDesk(app);
    const proposal = await propose(owner, [friday('01:00')]);
    const told = await toldBy(app, owner.organization_id, async () => {
      const { status, body } = await app.anonymous.post(`${proposal.path}/decline`, { reason: '出張のため' });
      assert.deepEqual([status, body.proposal.status], [200, 'declined']);
    });
    assert.deepEqual(told.audit[0]!.changes, {
      status: ['open', 'declined'],
      decline_reason: [null, '***'],
    });
    assert.deepEqual(await spans(owner), []);
    assert.equal((await app.anonymous.post(`${proposal.path}/decline`, {})).body.code, 'invalid_transition');
    const shown = (await owner.get(`${PROPOSALS}/${proposal.id}`)).body.proposal;
    assert.equal(shown.decline_reason, '出張のため');
  });

  test('shows its guest neither who hosts by ID nor what the location is', async () => {
    const owner = await newDesk(app);
    const location = { type: 'link', label: 'オンライン', value: 'https://meet.example/secret' };
    const proposal = await propose(owner, [friday('01:00')], { location, metadata: { deal: '1' } });
    const { body, text } = await app.anonymous.get(proposal.path);
    assert.deepEqual(body.proposal.location, { type: 'link', label: 'オンライン' });
    assert.deepEqual(body.proposal.hosts, [{ name: '試験 太郎' }]);
    assert.doesNotMatch(text, /usr_|secret|metadata/);
    const [letter] = await lettersAbout(app, 'scheduler.proposal', proposal.id);
    assert.match(letter!.paragraphs.join('\n'), /場所：オンライン\n/);
    assert.doesNotMatch(JSON.stringify(letter), /secret/);
  });

  test('has expired by the time, whether or not a job ran; what it held can be had then', async () => {
    const owner = await newDesk(app);
    const proposal = await propose(owner, [friday('01:00')], { expires_at: '2026-11-26T01:00:00Z' });
    now = new Date('2026-11-26T01:00:00.000Z');
    try {
      const { body } = await owner.get(`${PROPOSALS}?status=expired`);
      assert.deepEqual(
        body.items.map(({ id, status }: { id: string; status: string }) => [id, status]),
        [[proposal.id, 'expired']],
      );
      assert.equal((await owner.get(`${PROPOSALS}?status=open`)).body.total, 0);
      assert.equal((await app.anonymous.post(`${proposal.path}/decline`, {})).status, 409);
      const told = await toldBy(app, owner.organization_id, () => propose(owner, [friday('01:30')]));
      assert.deepEqual(told.events.map(({ type }) => type).toSorted(), [
        'scheduler.proposal.created',
        'scheduler.proposal.expired',
      ]);
    } finally {
      now = START;
    }
  });

  test('its link works until 30 days after the end', async () => {
    const owner = await newDesk(app);
    const proposal = await propose(owner, [friday('01:00')], { expires_at: '2026-11-26T01:00:00Z' });
    try {
      now = new Date('2026-12-26T00:59:59.000Z');
      assert.equal((await app.anonymous.get(proposal.path)).status, 200);
      now = new Date('2026-12-26T01:00:00.000Z');
      assert.equal((await app.anonymous.get(proposal.path)).status, 404);
    } finally {
      now = START;
    }
  });

  test('keeps what a client says of it; the same key twice is 409', async () => {
    const owner = await newDesk(app);
    const proposal = await propose(owner, [friday('01:00')], { external_id: 'P-9' });
    const changed = await owner.patch(`${PROPOSALS}/${proposal.id}`, { metadata: { deal: '42' } });
    assert.deepEqual([changed.status, changed.body.proposal.metadata], [200, { deal: '42' }]);
    const again = await owner.post(PROPOSALS, input(owner, [friday('03:00')], { external_id: 'P-9' }));
    assert.deepEqual(
      [again.status, again.body.code, again.body.existing_id],
      [409, 'already_exists', proposal.id],
    );
  });
});

test('a repeated request answers the same link', async () => {
  const owner = await newDesk(app);
  const headers = { 'Idempotency-Key': 'one' };
  const body = input(owner, [friday('01:00')]);
  const first = await owner.send('post', PROPOSALS, body, headers);
  const second = await owner.send('post', PROPOSALS, body, headers);
  assert.deepEqual([second.status, second.body], [201, first.body]);
});
