import { Failure, invalid, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrKept } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { lockMember, lockPresentMember } from '../members/locks.ts';
import { ownerOf } from '../members/owner.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { availabilityById, lockAvailability } from './queries.ts';
import {
  type Availability,
  type AvailabilityInput,
  AvailabilityModel,
  type AvailabilityPatch,
  availabilityFacts,
} from './record.ts';

/**
 * Makes availability of a member; the first one is the default, whatever was sent. Errors: `not_owner`,
 * `unknown_reference`, `already_exists`.
 */
export async function createAvailability(work: Work, input: AvailabilityInput): Promise<Availability> {
  const user_id = ownerOf(work, input.user_id);
  await lockPresentMember(work, user_id);
  const { present_default } = await lockAvailability(work, user_id, null);
  const is_default = present_default === null || (input.is_default ?? false);
  if (is_default) await noLongerDefault(work, present_default);
  const at = work.now.toISOString();
  const made: Availability = {
    id: newId('avail', work.now),
    object: 'scheduler.availability',
    user_id,
    name: input.name,
    time_zone: input.time_zone ?? (await schedulerSettingsOf(work)).time_zone,
    is_default,
    weekly: input.weekly ?? [],
    overrides: input.overrides ?? [],
    closed_on_holidays: input.closed_on_holidays ?? false,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
  const { object, ...columns } = made;
  work.insert(AvailabilityModel, columns);
  work.record(availabilityFacts.created, { before: null, after: made });
  return made;
}

/**
 * Changes the fields sent; lists are replaced whole. Errors: `not_found`, `not_owner`, `precondition_failed`,
 * `already_exists`, `validation_failed` where the member would have no default.
 */
export async function updateAvailability(
  work: Work,
  id: string,
  patch: AvailabilityPatch,
): Promise<Availability> {
  const { before, present_default } = await lockOne(work, id);
  if (before.is_default && patch.is_default === false) {
    throw invalid('/is_default', 'default_needed', {
      en: 'is_default must not be false: make another availability the default instead',
      ja: 'is_default は false にできません。別の予約可能時間を既定にしてください',
    });
  }
  const changed: Availability = {
    ...before,
    ...sentOrKept(patch, before, FIELDS),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (work.isSame(availabilityFacts.updated, before, changed)) return before;
  if (changed.is_default && !before.is_default) await noLongerDefault(work, present_default);
  return saveAvailability(work, before, changed);
}

/**
 * Removes availability. Errors: `not_found`, `not_owner`, `precondition_failed`, `in_use` for the default and for one that
 * event types name.
 */
export async function deleteAvailability(work: Work, id: string): Promise<void> {
  const { before } = await lockOne(work, id);
  if (before.is_default) {
    throw new Failure('in_use', {
      detail: {
        en: 'The availability is the default; make another one the default first',
        ja: '既定の予約可能時間です。先に別の予約可能時間を既定にしてください',
      },
    });
  }
  const used = await work.connection.query(
    `SELECT FROM scheduler_event_type_members WHERE organization_id = $1 AND availability_id = $2 LIMIT 1`,
    [work.organization_id, id],
  );
  if (used.length > 0) {
    throw new Failure('in_use', {
      detail: { en: 'Event types name the availability', ja: 'イベントタイプで使われています' },
    });
  }
  work.remove(AvailabilityModel, id);
  work.record(availabilityFacts.deleted, { before, after: null });
}

const FIELDS = [
  'name',
  'time_zone',
  'is_default',
  'weekly',
  'overrides',
  'closed_on_holidays',
  'external_id',
] as const;

/** One availability and the default of its member, both locked. Errors: `not_found`, `not_owner`, `precondition_failed`. */
async function lockOne(
  work: Work,
  id: string,
): Promise<{ before: Availability; present_default: Availability | null }> {
  const { user_id } = await availabilityById(work, id);
  await lockMember(work, user_id);
  const { asked: before, present_default } = await lockAvailability(work, user_id, id);
  if (!before) throw notFound();
  work.precondition(before);
  return { before, present_default };
}

/** The default of before gives that up; its row is written before that of the new one. */
async function noLongerDefault(work: Work, present_default: Availability | null): Promise<void> {
  if (!present_default) return;
  saveAvailability(work, present_default, { ...present_default, is_default: false });
  await work.flush();
}

function saveAvailability(work: Work, before: Availability, changed: Availability): Availability {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, object, user_id, created_at, ...columns } = after;
  work.update(AvailabilityModel, id, columns);
  work.record(availabilityFacts.updated, { before, after });
  return after;
}
