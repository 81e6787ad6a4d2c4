import { createDefaultPipeline } from '../../shared/crm/pipelines/operations.ts';
import type { Database } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { newId, type Prefix } from '../../shared/kernel/id.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { gramsOf } from '../../shared/platform/search/grams.ts';
import { companySearchText, searchText } from '../../shared/platform/search/lines.ts';
import type { TestActor } from './actors.ts';

const TRADES = ['商事', '工業', '製作所', '運輸', '食品', '電機', '建設', '物産'];
const PLACES = ['東京', '大阪', '名古屋', '札幌', '福岡', '仙台', '広島'];

type Base = { id: string; created_at: string; updated_at: string };

type Owner = Pick<TestActor, 'organization_id' | 'user_id'>;

/** The grams of a text as PostgreSQL reads an array at once: of a list in JSON it takes each number by itself. */
export function writtenGrams(text: string): string {
  return `{${gramsOf(text)}}`;
}

/** Writes rows of one table in chunks; the newest last, one minute apart. */
export async function fill(
  database: Database,
  owner: Owner,
  table: string,
  prefix: Prefix,
  count: number,
  row: (n: number, base: Base) => Record<string, unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  const start = Date.now() - count * 60_000;
  for (let from = 0; from < count; from += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, count - from) }, (_, n) => {
      const at = new Date(start + (from + n) * 60_000);
      const base = { id: newId(prefix, at), created_at: at.toISOString(), updated_at: at.toISOString() };
      ids.push(base.id);
      return { organization_id: owner.organization_id, ...base, ...row(from + n, base) };
    });
    const columns = Object.entries(rows[0]!).filter(([, value]) => value !== undefined);
    const names = columns.map(([name]) => name).join(', ');
    await database.withConnection(owner.organization_id, ({ query }) =>
      query(
        `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(null::${table}, $1::json)`,
        [JSON.stringify(rows)],
      ),
    );
  }
  return ids;
}

/** Companies; every ten-thousandth has a name that no other has. */
export function seedCompanies(database: Database, owner: Owner, count: number): Promise<string[]> {
  return fill(database, owner, 'crm_companies', 'comp', count, (n) => {
    const rare = n % 10_000 === 17 ? '勅使河原' : '';
    const name = `${rare}${PLACES[n % PLACES.length]}${TRADES[n % TRADES.length]}${n}株式会社`;
    const search_text = companySearchText({ name, name_kana: rare && 'テシガワラショウテン' });
    return {
      name,
      honorific: '御中',
      owner_id: owner.user_id,
      custom_fields: {},
      open_deals: 0,
      open_amount: n % 1000,
      open_amounts: [],
      sort_name: name,
      name_key: name,
      search_text,
      search_grams: writtenGrams(search_text),
    };
  });
}

/** Deals over the stages of the default pipeline, in turn. */
export async function seedDeals(
  database: Database,
  owner: Owner,
  companies: string[],
  count: number,
): Promise<string> {
  const { pipeline_id, stages } = await defaultPipeline(database, owner);
  const company_search_text = searchText(['東京商事']);
  await fill(database, owner, 'crm_deals', 'deal', count, (n, base) => {
    const rare = n % 10_000 === 17 ? '勅使河原' : '';
    const name = `${rare}${TRADES[n % TRADES.length]}の更新 ${n}`;
    const own_search_text = searchText([name]);
    const stage = stages[n % stages.length]!;
    return {
      name,
      pipeline_id,
      stage_id: stage.id,
      status: stage.type,
      amount: (n * 1000) % 7_000_000,
      currency: 'JPY',
      probability: stage.probability,
      has_own_probability: false,
      expected_close_date: n % 3 === 0 ? null : '2026-12-31',
      owner_id: owner.user_id,
      company_id: companies[n % companies.length],
      stage_entered_at: base.created_at,
      position: n,
      custom_fields: {},
      created_by: owner.user_id,
      sort_name: name,
      own_search_text,
      own_search_grams: writtenGrams(own_search_text),
      company_search_text,
      company_search_grams: writtenGrams(company_search_text),
    };
  });
  return pipeline_id;
}

type Stage = { id: string; type: string; probability: number };

async function defaultPipeline(database: Database, owner: Owner) {
  return database.withConnection(owner.organization_id, async (connection) => {
    const reader = {
      connection,
      ...owner,
      actor: systemActor,
      now: new Date(),
      request_id: null,
      ip_address: null,
    };
    await transaction(connection, async (commit) => {
      const work = new Work(reader);
      await createDefaultPipeline(work);
      await commit(work.finish());
    });
    const stages = await connection.query<Stage & { pipeline_id: string }>(
      'SELECT id, type, probability, pipeline_id FROM crm_stages WHERE organization_id = $1 ORDER BY sort_order',
      [owner.organization_id],
    );
    return { pipeline_id: stages[0]!.pipeline_id, stages };
  });
}

/** Activities over the companies, in turn. */
export function seedActivities(
  database: Database,
  owner: Owner,
  companies: string[],
  count: number,
): Promise<string[]> {
  return fill(database, owner, 'crm_activities', 'act', count, (n, base) => ({
    type: ['note', 'call', 'email', 'meeting'][n % 4],
    content: `電話した ${n}`,
    company_id: companies[n % companies.length],
    occurred_at: base.created_at,
    created_by: owner.user_id,
  }));
}

/** Nearly all of one type; one in a thousand of another, and few of another domain. */
function typeOf(n: number): string {
  if (n % 8000 === 7) return 'conversion.completed';
  return n % 1000 === 0 ? 'crm.company.deleted' : 'crm.contact.updated';
}

/** Audit entries of the CRM, and events; these tables have no `updated_at`. */
export async function seedHistory(database: Database, owner: Owner, count: number): Promise<string[]> {
  await fill(database, owner, 'audit_logs', 'aud', count, (n) => ({
    updated_at: undefined,
    domain: 'crm',
    entity_type: 'contact',
    entity_id: `cont_${n % 5000}`,
    action: 'update',
    actor_type: 'user',
    actor_id: owner.user_id,
    changes: {},
  }));
  return fill(database, owner, 'events', 'evt', count, (n) => ({
    updated_at: undefined,
    type: typeOf(n),
    data: {},
    previous_attributes: {},
    position: n + 1,
  }));
}

/**
 * Gives every row of an organization the values that SQL makes of `n`, its place by ID. The table is analyzed before: by
 * the counts of an empty one PostgreSQL would look through all rows for each.
 */
export async function giveKeys(
  database: Database,
  table: string,
  organization_id: string,
  keys: Record<string, string>,
): Promise<void> {
  const changes = Object.entries(keys).map(([column, value]) => `${column} = ${value}`);
  await database.withConnection(organization_id, async ({ query }) => {
    await query(`ANALYZE ${table}`);
    await query(
      `WITH numbered AS (
         SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table} WHERE organization_id = $1)
       UPDATE ${table} SET ${changes.join(', ')}
         FROM numbered WHERE organization_id = $1 AND ${table}.id = numbered.id`,
      [organization_id],
    );
  });
}
