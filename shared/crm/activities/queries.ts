import { type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { isCompany, isContact } from '../aliases.ts';
import { type Activity, ActivityModel, activityKind } from './record.ts';

export const activityColumns = [
  'id',
  'type',
  'content',
  'deal_id',
  'contact_id',
  'company_id',
  'duration_minutes',
  'occurred_at',
  'due_at',
  'done_at',
  'external_id',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type ActivityRow = Omit<Activity, 'object'>;

/** A row as the API shows it. */
export function activityOf({ id, ...row }: ActivityRow): Activity {
  return { id, object: 'crm.activity', ...row };
}

const BY_ID = `SELECT ${activityColumns.join(', ')} FROM crm_activities WHERE organization_id = $1 AND id = $2`;

/** One activity. Errors: `not_found`. */
export async function activityById(reader: Reader, id: string): Promise<Activity> {
  const [row] = await reader.connection.query<ActivityRow>(BY_ID, [reader.organization_id, id]);
  if (!row) throw notFound();
  return activityOf(row);
}

/** The same, its row locked until the work commits. Errors: `not_found`. */
export async function lockActivity(reader: Reader, id: string): Promise<Activity> {
  const text = `${BY_ID} FOR NO KEY UPDATE`;
  const [row] = await reader.connection.query<ActivityRow>(text, [reader.organization_id, id]);
  if (!row) throw notFound();
  return activityOf(row);
}

export type ActivityFilters = LookUps & {
  type?: Activity['type'];
  deal_id?: string;
  contact_id?: string;
  company_id?: string;
};

/** The activities that the filters leave. */
export function activityList(reader: Reader, filters: ActivityFilters, window: Window): ListQuery {
  const query = ActivityModel.table(reader);
  if (filters.type) query.where('crm_activities.type', filters.type);
  if (filters.deal_id) query.where('crm_activities.deal_id', filters.deal_id);
  if (filters.contact_id) query.whereRaw(...isContact(reader, 'crm_activities', filters.contact_id));
  if (filters.company_id) query.whereRaw(...isCompany(reader, 'crm_activities', filters.company_id));
  return {
    query,
    table: ActivityModel.tableName,
    columns: activityColumns,
    prefix: 'act',
    look_ups: { kind: activityKind, asked: filters },
    window,
  };
}

/** A window of the activities that the filters leave. */
export async function activityPage(
  reader: Reader,
  filters: ActivityFilters,
  window: Window,
): Promise<Page<Activity>> {
  const page = await pageOf<ActivityRow>(reader, activityList(reader, filters, window));
  return { ...page, rows: page.rows.map(activityOf) };
}
