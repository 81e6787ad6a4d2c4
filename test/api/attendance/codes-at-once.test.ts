import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';
import { overtaken } from '../../support/held.ts';

const app = await startApp();

describe('a batch beside somebody who takes one of its codes at that moment', () => {
  for (const { records, prefix } of [
    { records: 'departments', prefix: 'dept' },
    { records: 'positions', prefix: 'posn' },
  ] as const) {
    test(`changes what has the code by now: ${records}`, async () => {
      const owner = await newWorkplace(app);
      const { organization_id } = owner.actor;
      const id = newId(prefix, new Date());
      const reply = await overtaken(
        { database: app.database, organization_id },
        ({ query }) =>
          query(
            `INSERT INTO attendance_${records} (organization_id, id, name, code, sort_order, created_at, updated_at)
             VALUES ($1, $2, '営業', 'S', 0, now(), now())`,
            [organization_id, id],
          ),
        () =>
          owner.post(`/attendance/org/${records}/batch`, {
            items: [
              { name: '営業一', code: 'S' },
              { name: '経理', code: 'K' },
            ],
          }),
      );
      assert.equal(reply.status, 200, reply.text);
      const { created, updated, items } = reply.body;
      assert.deepEqual([created, updated, items[0].id, items[0].name], [1, 1, id, '営業一']);
    });
  }
});
