import type { Knex } from 'knex';
import { newId } from '../../shared/kernel/id.ts';

/** Rows of one statement. */
const TOGETHER = 2_000;

type Found = { organization_id: string; id: string; name: string; email: string };

/**
 * What organizations of before begin attendance with: a member for each membership and each pending invitation, the
 * schedule of 9 to 18 o'clock, and the time of the first daily run.
 */
export async function firstMembers(knex: Knex): Promise<void> {
  const now = new Date();
  await fill(
    knex,

    `SELECT membership.organization_id, membership.id, person.name, person.email, membership.user_id,
            CASE WHEN membership.left_at IS NULL THEN 'active' ELSE 'left' END AS status,
            (membership.left_at AT TIME ZONE 'Asia/Tokyo')::date AS left_on
       FROM members AS membership JOIN users AS person ON person.id = membership.user_id`,
    now,
  );
  await fill(
    knex,

    `SELECT invitation.organization_id, invitation.id, lower(invitation.email) AS name,
            lower(invitation.email) AS email, NULL AS user_id, 'invited' AS status, NULL AS left_on
       FROM invitations AS invitation WHERE status = 'pending'`,
    now,
  );
  await beginnings(knex, now);
}

async function fill(knex: Knex, select: string, now: Date): Promise<void> {
  let after: [string, string] = ['', ''];
  for (;;) {
    const { rows } = await knex.raw<{ rows: (Found & Record<string, unknown>)[] }>(
      `SELECT * FROM (${select}) AS source WHERE (organization_id, id) > (?, ?)
        ORDER BY organization_id, id LIMIT ${TOGETHER}`,
      after,
    );
    if (rows.length === 0) return;
    const made = rows.map((row) => ({ ...row, ...searched(row), member_id: newId('mem', now) }));
    await knex.raw(
      `INSERT INTO attendance_members (organization_id, id, user_id, name, email, status, left_on, searched_name,
         search_text, search_grams, created_at, updated_at)
       SELECT organization_id, member_id, user_id, name, email, status, left_on, searched_name, search_text,
         search_grams, ?, ?
         FROM jsonb_to_recordset(?::jsonb) AS made (organization_id text, member_id text, user_id text, name text,
           email text, status text, left_on date, searched_name text, search_text text, search_grams integer[])
       ON CONFLICT DO NOTHING`,
      [now.toISOString(), now.toISOString(), JSON.stringify(made)],
    );
    const last = rows.at(-1)!;
    after = [last.organization_id, last.id];
  }
}

async function beginnings(knex: Knex, now: Date): Promise<void> {
  let after = '';
  for (;;) {
    const { rows } = await knex.raw<{ rows: { id: string }[] }>(
      `SELECT id FROM organizations WHERE id > ? ORDER BY id LIMIT ${TOGETHER}`,
      [after],
    );
    if (rows.length === 0) return;
    const made = rows.map(({ id }) => ({ organization_id: id, id: newId('wsch', now) }));
    await knex.raw(
      `INSERT INTO attendance_schedules (organization_id, id, name, "start", "end", breaks, minutes, half_day,
         is_default, created_at, updated_at)
       SELECT organization_id, id, '標準', '09:00', '18:00', '[{"start": "12:00", "end": "13:00"}]', 480,
         '{"am_end": "12:00", "pm_start": "13:00"}', true, ?, ?
         FROM jsonb_to_recordset(?::jsonb) AS made (organization_id text, id text)`,
      [now.toISOString(), now.toISOString(), JSON.stringify(made)],
    );
    await knex.raw(
      `INSERT INTO attendance_daily_runs (organization_id, due_at)
       SELECT organization_id, ? FROM jsonb_to_recordset(?::jsonb) AS made (organization_id text)`,
      [now.toISOString(), JSON.stringify(made)],
    );
    after = rows.at(-1)!.id;
  }
}

/** What a person is found by: lines without regard to case, width and kind of kana, with their letters and pairs. */
function searched({ name, email }: Found) {
  const folded = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\u30a1-\u30f6]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));
  const lines = [...new Set([folded(name), folded(email)])];
  const grams = new Set<number>();
  for (const line of lines) {
    for (let at = 0; at < line.length; at += 1) {
      grams.add(line.charCodeAt(at));
      if (at > 0) grams.add((line.charCodeAt(at - 1) << 16) | line.charCodeAt(at));
    }
  }
  const search_grams = [...grams].sort((left, right) => left - right);
  return { searched_name: folded(name), search_text: lines.join('\n'), search_grams };
}
