import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { summedMinutes } from '../../../shared/attendance/days/totals.ts';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';
import type { Reply } from '../../support/client.ts';
import { toldSoFar } from '../../support/facts.ts';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const app = await startApp({ now: () => NOW });

const types = ['clock_in', 'break_start', 'break_end', 'clock_out'] as const;

/** Minutes before now; null: without a time. */
type Sent = { type: (typeof types)[number]; before: number | null; work_date?: string; whose: 0 | 1 };

const sentPunch: fc.Arbitrary<Sent> = fc.record(
  {
    type: fc.constantFrom(...types),
    before: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }).map((steps) => steps * 45) },
      { weight: 1, arbitrary: fc.constantFrom(-2, -1, 45.5) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    work_date: fc.constantFrom('2026-11-23', '2026-11-24', '2026-11-20'),
    whose: fc.constantFrom(0, 1),
  },
  { requiredKeys: ['type', 'before', 'whose'] },
);

function bodyOf({ type, before, work_date }: Sent, member_id: string) {
  const occurred_at = before === null ? undefined : new Date(NOW.getTime() - before * 60_000).toISOString();
  return { type, member_id, occurred_at, work_date };
}

function outcomeOf({ status, body }: Reply) {
  const { type, occurred_at, work_date, duplicate } = body.punch ?? {};
  return {
    status,
    code: body.code ?? null,
    punch: body.punch && { type, occurred_at, work_date, duplicate },
  };
}

/** What is kept of a member, without IDs and times of writing. */
async function keptOf({ organization_id }: Workplace, member_id: string): Promise<unknown> {
  const { events, audit } = await toldSoFar(app, organization_id);
  const stored = await app.database.withConnection(organization_id, async ({ query }) => {
    const of = (columns: string, table: string, order: string) =>
      query(
        `SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND member_id = $2 ORDER BY ${order}`,
        [organization_id, member_id],
      );
    return [
      await of(
        'work_date, clock_in_at, clock_out_at, breaks',
        'attendance_sessions',
        'clock_in_at, clock_out_at',
      ),
      await of('type, occurred_at, work_date, source, note', 'attendance_punches', 'occurred_at, id'),
      await of(
        `work_date, version, calc_version, day_type, ${summedMinutes.join(', ')}`,
        'attendance_records',
        'work_date',
      ),
    ];
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
  const own = events.filter(({ data }: any) => data.member_id === member_id);
  return {
    stored,
    // biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
    events: own.map(({ type, data }: any) => [
      type,
      data.version,
      data.sessions,
      data.alerts,
      data.punch.type,
    ]),
    // biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
    audit: audit.filter((entry: any) => entry.changes?.member_id?.[1] === member_id).length,
  };
}

describe('POST /punches/batch', () => {
  test('does what its punches sent alone would, those of a member in order of time', async () => {
    const [together, alone] = [await newWorkplace(app), await newWorkplace(app)];
    await fc.assert(
      fc.asyncProperty(fc.array(sentPunch, { minLength: 1, maxLength: 12 }), async (sent) => {
        const people = async (place: Workplace) => [(await place.person()).id, (await place.person()).id];
        const [of_batch, of_single] = [await people(together), await people(alone)];
        const { items } = await together.done('POST', '/punches/batch', {
          punches: sent.map((one) => bodyOf(one, of_batch[one.whose]!)),
        });
        const inTime = sent
          .map((one, index) => ({ one, index }))
          .toSorted((left, right) => (right.one.before ?? 0) - (left.one.before ?? 0));
        const answers: unknown[] = [];
        for (const { one, index } of inTime) {
          answers[index] = outcomeOf(
            await alone.post('/attendance/punches', bodyOf(one, of_single[one.whose]!)),
          );
        }
        // biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
        const outcomes = items.map(({ status, code, punch }: any) =>
          outcomeOf({ status, body: { code, punch: punch ?? undefined } } as Reply),
        );
        assert.deepEqual(outcomes, answers);
        for (const whose of [0, 1]) {
          assert.deepEqual(await keptOf(together, of_batch[whose]!), await keptOf(alone, of_single[whose]!));
        }
      }),
      { numRuns: Number(process.env['BATCH_RUNS'] ?? 25) },
    );
  });

  test('finds members by their codes, and refuses one by one', async () => {
    const place = await newWorkplace(app);
    const { id } = await place.person({ employee_code: 'E1' });
    await place.person({ employee_code: 'E2', hired_on: '2026-12-01' });
    const { items } = await place.done('POST', '/punches/batch', {
      punches: [
        { type: 'clock_out', employee_code: 'E1', occurred_at: '2026-11-24T09:00:00.000Z' },
        { type: 'clock_in', employee_code: 'E1', occurred_at: '2026-11-24T00:00:00.000Z' },
        { type: 'clock_in', employee_code: 'E9' },
        { type: 'clock_in', employee_code: 'E2' },
        { type: 'clock_in', employee_code: 'E1', member_id: id },
        { type: 'clock_in' },
      ],
    });
    const shown = items.map(({ index, status, code, punch }: Reply['body']) => [
      index,
      status,
      code,
      punch?.member_id ?? null,
    ]);
    assert.deepEqual(shown, [
      [0, 201, null, id],
      [1, 201, null, id],
      [2, 422, 'unknown_reference', null],
      [3, 409, 'not_employed', null],
      [4, 422, 'validation_failed', null],
      [5, 201, null, place.member_id],
    ]);
    const { record } = await place.done('GET', `/records/${id}/2026-11-24`);
    assert.deepEqual([record.presence_minutes, record.version], [540, 2]);
    const { audit } = await toldSoFar(app, place.organization_id);
    assert.equal(audit.filter(({ changes }) => changes['member_id']?.[1] === id).length, 2);
  });

  test('is refused whole for a fault of form, for none and for over 1,000; role_required for managers', async () => {
    const place = await newWorkplace(app);
    const pathOf = async (punches: object[]) => {
      const { status, body } = await place.post('/attendance/punches/batch', { punches });
      return [status, body.errors?.[0]?.path];
    };
    assert.deepEqual(await pathOf([{ type: 'clock_in' }, { type: 'lunch' }]), [422, '/punches/1/type']);
    assert.deepEqual(await pathOf([]), [422, '/punches']);
    const many = Array.from({ length: 1_001 }, () => ({ type: 'clock_in' }));
    assert.deepEqual(await pathOf(many), [422, '/punches']);
    const manager = await place.colleague('manager');
    const reply = await manager.post('/attendance/punches/batch', { punches: [{ type: 'clock_in' }] });
    assert.deepEqual([reply.status, reply.body.code], [403, 'role_required']);
  });

  test('beside single punches of the same members, and sent again with its key, makes each punch once', async () => {
    const place = await newWorkplace(app);
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push((await place.person()).id);
    const batch = { punches: ids.map((member_id) => ({ type: 'clock_in', member_id })) };
    const backwards = { punches: batch.punches.toReversed() };
    const key = { 'Idempotency-Key': 'terminal-7.2026-11-24' };
    const [first, again, other, ...singles] = await Promise.all([
      place.post('/attendance/punches/batch', batch, key),
      place.post('/attendance/punches/batch', batch, key),
      place.post('/attendance/punches/batch', backwards),
      ...ids.map((member_id) => place.post('/attendance/punches', { type: 'clock_in', member_id })),
    ]);
    const known = again!.status === 409 ? await place.post('/attendance/punches/batch', batch, key) : again!;
    assert.deepEqual(known.body, first!.body);
    const statuses = new Map(ids.map((id) => [id, [] as number[]]));
    for (const { status, punch } of [...first!.body.items, ...other!.body.items])
      statuses.get(punch.member_id)!.push(status);
    for (const { status, body } of singles) statuses.get(body.punch.member_id)!.push(status);
    for (const found of statuses.values()) assert.deepEqual(found.toSorted(), [200, 200, 201]);
  });
});
