import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { seedDays } from '../../support/many-days.ts';

let updates = 0;
const own = await freshDatabase({
  on_statement: (text) => {
    if (/update "attendance_members"/i.test(text)) updates += 1;
  },
});
const app = await startApp({ database: own });
after(() => own.drop());

describe('who is in a department or position that goes', () => {
  for (const [path, column] of [
    ['departments', 'department_id'],
    ['positions', 'position_id'],
  ] as const) {
    test(`is moved by one statement for many: ${path}`, async () => {
      const client = await app.actor();
      const { organization_id } = client.actor;
      const made: string[] = [];
      for (const name of ['A', 'B']) {
        const { body } = await client.post(`/attendance/org/${path}`, { name });
        made.push((body.department ?? body.position).id);
      }
      const [from, to] = made;
      const date = '2026-06-01';
      const ids = await seedDays(own.database, client.actor, { members: 30, from: date, to: date });
      const rows = await own.database.withConnection(organization_id, ({ query }) =>
        query<{ id: string; updated_at: string }>(
          `UPDATE attendance_members SET ${column} = $2 WHERE organization_id = $1 AND id = ANY ($3)
           RETURNING id, updated_at`,
          [organization_id, from, ids],
        ),
      );
      const before = new Map(rows.map(({ id, updated_at }) => [id, updated_at]));
      updates = 0;
      const reply = await client.delete(`/attendance/org/${path}/${from}?move_members_to=${to}`);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(updates, 1);
      const { items } = (await client.get('/attendance/members?limit=100')).body;
      const moved = items.filter((item: { id: string }) => before.has(item.id));
      assert.equal(moved.length, ids.length);
      for (const item of moved) {
        assert.deepEqual([item[column], item.name, item.status], [to, '社員', 'active']);
        assert.ok(item.updated_at > before.get(item.id)!);
      }
      const told = (await client.get('/attendance/audit-logs?entity_type=member&limit=200')).body.items;
      assert.equal(told.length, ids.length);
      assert.deepEqual(told[0].changes[column], [from, to]);
    });
  }
});
