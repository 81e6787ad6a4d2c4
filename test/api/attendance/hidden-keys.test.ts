import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, session } from '../../support/attendance.ts';

/** A Tuesday, 21:00 in Japan. */
const app = await startApp({ now: () => new Date('2026-11-24T12:00:00.000Z') });

const DAY = '2026-11-20';
const at = (time: string) => `${DAY}T${time}:00.000Z`;

/** What is filed under a key of the client, by the path and the name of its record. */
const kinds: Record<string, [path: string, body: object]> = {
  leave_request: ['/attendance/leave-requests', { type: 'sick', start_date: DAY }],
  correction: [
    '/attendance/corrections',
    { work_date: DAY, reason: '打刻忘れ', sessions: [session(DAY, '00:00', '09:00')] },
  ],
  overtime_request: [
    '/attendance/overtime-requests',
    {
      work_date: DAY,
      reason: '棚卸し',
      kind: 'after',
      planned_start_at: at('09:00'),
      planned_end_at: at('11:00'),
    },
  ],
  submission: ['/attendance/submissions', { month: '2026-10', accept_absences: true }],
};

describe('409 already_exists', () => {
  for (const [name, [path, body]] of Object.entries(kinds)) {
    test(`of a ${name} names it to who sees the member that it is about alone`, async () => {
      const owner = await newWorkplace(app);
      const [member, other, manager] = [
        await owner.colleague(),
        await owner.colleague(),
        await owner.colleague('manager'),
      ];
      const made = await member.post(path, { ...body, external_id: 'K-1' });
      assert.equal(made.status, 201, made.text);
      for (const [caller, seen] of [
        [owner, made.body[name].id],
        [manager, null],
        [other, null],
      ] as const) {
        const refused = await caller.post(path, { ...body, external_id: 'K-1' });
        assert.deepEqual([refused.status, refused.body.code], [409, 'already_exists'], refused.text);
        assert.equal(refused.body.existing_id, seen);
      }
    });
  }
});
