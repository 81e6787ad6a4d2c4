import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { PeopleFollower } from '../../platform/access/followers.ts';
import { storedForms } from '../forms/queries.ts';
import { writeSettings } from './operations.ts';
import { settingsFacts } from './record.ts';

/** Contacts that forms make get no owner any more who has left. */
export const formsPeople: PeopleFollower = {
  async joined() {},
  async left(work, { user_id }) {
    for (let after = ''; ; ) {
      const ids = await lockOwned(work, user_id, after);
      await disown(work, user_id, ids);
      if (ids.length < FACTS_TOGETHER) return;
      after = ids.at(-1)!;
    }
  },
  async invited() {},
  async uninvited() {},
};

/** The forms whose contacts somebody gets, by their IDs after one, locked until the work commits. */
async function lockOwned(
  { connection, organization_id }: Work,
  user_id: string,
  after: string,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM forms_forms WHERE organization_id = $1 AND id IN (
       SELECT form_id FROM forms_settings
        WHERE organization_id = $1 AND crm ->> 'owner_id' = $2 AND form_id > $3
        ORDER BY form_id LIMIT $4)
      ORDER BY id FOR UPDATE`,
    [organization_id, user_id, after, FACTS_TOGETHER],
  );
  return rows.map(({ id }) => id);
}

async function disown(work: Work, user_id: string, ids: readonly string[]): Promise<void> {
  const byId = await storedForms(work, ids);
  for (const id of ids) {
    const before = byId(id)?.settings;
    if (before?.crm.owner_id !== user_id) continue;
    const crm = { ...before.crm, owner_id: null };
    const after = { ...before, crm, updated_at: work.touch(before) };
    writeSettings(work, before, after);
    work.record(settingsFacts.updated, { before, after });
  }
  await work.flushFacts();
}
