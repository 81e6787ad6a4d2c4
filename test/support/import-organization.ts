import { createDefaultPipeline } from '../../shared/crm/pipelines/operations.ts';
import type { Database } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { Actor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';

/** An organization of two members; the first one acts. Members may belong to several of them. */
export type ImportOrganization = {
  organization_id: string;
  /** Runs what an operation of the API does, in a transaction of its own. */
  act<T>(run: (work: Work) => Promise<T>): Promise<T>;
};

export type People = { actor: Actor; emails: string[] };

/** Two people who can be members of any organization. */
export async function newPeople(database: Database): Promise<People> {
  const now = new Date();
  const ids = [newId('usr', now), newId('usr', now)];
  const emails = ids.map((id) => `${id}@example.com`);
  await database.withConnection('*', ({ query }) =>
    query(
      `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
       SELECT id, '試験', email, true, $3, $3 FROM unnest($1::text[], $2::text[]) AS person (id, email)`,
      [ids, emails, now],
    ),
  );
  const user_id = ids[0]!;
  return { actor: { type: 'user', id: user_id, user_id, role: 'owner', grants: ['*'] }, emails };
}

/** A new organization of these people with the usual pipeline. */
export async function newOrganization(
  database: Database,
  { actor, emails }: People,
): Promise<ImportOrganization> {
  const now = new Date();
  const organization_id = newId('org', now);
  await database.withConnection(organization_id, async ({ query }) => {
    await query(`INSERT INTO organizations VALUES ($1, 'x', $2, '2026-02-22', $3, $3)`, [
      organization_id,
      organization_id.replace('_', '-'),
      now,
    ]);
    await query(
      `INSERT INTO members (organization_id, id, user_id, role, joined_at, created_at, updated_at)
       SELECT $1, 'mbr_' || users.id, users.id, 'owner', $3, $3, $3 FROM users WHERE email = ANY ($2)`,
      [organization_id, emails, now],
    );
  });
  const act = <T>(run: (work: Work) => Promise<T>): Promise<T> =>
    database.withConnection(organization_id, (connection) =>
      transaction(connection, async (commit) => {
        const who = { actor, request_id: null, ip_address: null };
        const work = new Work(
          { connection, organization_id, now: new Date(), ...who },
          { may_change_nothing: true },
        );
        const result = await run(work);
        await commit(work.finish());
        return result;
      }),
    );
  await act(async (work) => createDefaultPipeline(work));
  return { organization_id, act };
}

const TABLES: Record<string, string> = {
  crm_companies: 'id',
  crm_contacts: 'id',
  crm_deals: 'id',
  crm_tags: 'id',
  crm_tag_assignments: 'resource_id, tag_id',
  crm_deal_contacts: 'deal_id, sort_order',
  // Of each record by themselves: in a chunk its second change is a millisecond later than all first ones.
  events: `data ->> 'id' COLLATE "C", id`,
  audit_logs: 'id',
};

const ID = /\b(?:org|usr|ak|req|cfld|comp|cont|deal|taga|tag|pipe|pstage|evt|aud)_[0-9a-z]{26}\b/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Two rows of one chunk are taken in one millisecond, two calls are not. A contact has a position too, in words. */
function isOfTheMoment(key: string, value: unknown): boolean {
  return key === 'stage_entered_at' || (key === 'position' && /\d{9}/.test(JSON.stringify(value)));
}

/**
 * All that the CRM of an organization holds and has said, IDs replaced by their numbers in the order of their making
 * and times taken out, so that two organizations can be compared. What was said of imports themselves is left out.
 */
export async function contentsOf(
  database: Database,
  { organization_id }: Pick<ImportOrganization, 'organization_id'>,
): Promise<Record<string, unknown[]>> {
  return database.withConnection(organization_id, async ({ query }) => {
    const contents: Record<string, unknown[]> = {};
    const numbers = new Map<string, string>();
    const numbered = (id: string) => {
      if (!numbers.has(id)) numbers.set(id, `${id.split('_')[0]}#${numbers.size}`);
      return numbers.get(id)!;
    };
    for (const [table, order] of Object.entries(TABLES)) {
      const all = await query(`SELECT * FROM ${table} WHERE organization_id = $1 ORDER BY ${order}`, [
        organization_id,
      ]);
      const rows = all.filter(({ entity_type }) => entity_type !== 'import' && entity_type !== 'job');
      // Events get their positions a moment later.
      const own = table === 'events' ? rows.map(({ position, ...row }) => row) : rows;
      const text = JSON.stringify(own).replace(ID, numbered).replace(TIME, 'time');
      contents[table] = JSON.parse(text, (key, value) => (isOfTheMoment(key, value) ? undefined : value));
    }
    return contents;
  });
}
