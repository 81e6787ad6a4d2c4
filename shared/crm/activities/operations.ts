import { requireRecord } from '../../db/reference.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { type ActivityRow, activityOf, lockActivity } from './queries.ts';
import {
  type Activity,
  type ActivityInput,
  ActivityModel,
  type ActivityPatch,
  activityFacts,
} from './record.ts';

/** Notes what was done or is to be done. Errors: `unknown_reference`. */
export async function createActivity(work: Work, input: ActivityInput): Promise<Activity> {
  await requireReferences(work, input);
  const created_at = work.now.toISOString();
  const row: ActivityRow = {
    id: newId('act', work.now),
    type: input.type,
    content: input.content,
    deal_id: input.deal_id ?? null,
    contact_id: input.contact_id ?? null,
    company_id: input.company_id ?? null,
    duration_minutes: input.duration_minutes ?? null,
    occurred_at: input.occurred_at ?? created_at,
    due_at: input.due_at ?? null,
    done_at: input.done_at ?? null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_by: work.actor.user_id,
    created_at,
    updated_at: created_at,
  };
  const activity = activityOf(row);
  work.insert(ActivityModel, row);
  work.record(activityFacts.created, { before: null, after: activity });
  return activity;
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, `unknown_reference`. */
export async function updateActivity(work: Work, id: string, patch: ActivityPatch): Promise<Activity> {
  const before = await lockActivity(work, id);
  await requireReferences(work, patch);
  work.precondition(before);
  const metadata = metadataAfter(before.metadata, patch.metadata);
  const changed: Activity = { ...before, ...patch, metadata };
  if (work.isSame(activityFacts.updated, before, changed)) return before;
  const after: Activity = { ...changed, updated_at: work.touch(before) };
  const { id: _, object, created_at, created_by, ...columns } = after;
  work.update(ActivityModel, id, columns);
  work.record(activityFacts.updated, { before, after });
  return after;
}

/** Removes an activity. Errors: `not_found`, `precondition_failed`. */
export async function deleteActivity(work: Work, id: string): Promise<void> {
  const before = await lockActivity(work, id);
  work.precondition(before);
  work.remove(ActivityModel, id);
  work.record(activityFacts.deleted, { before, after: null });
}

async function requireReferences(work: Work, input: ActivityPatch): Promise<void> {
  await Promise.all([
    requireRecord(work, { tableName: 'crm_deals' }, input.deal_id, '/deal_id'),
    requireRecord(work, { tableName: 'crm_contacts' }, input.contact_id, '/contact_id'),
    requireRecord(work, { tableName: 'crm_companies' }, input.company_id, '/company_id'),
  ]);
}
