import { randomBytes } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { pick, sentOrKept } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { eventTypeDefaults } from './fields.ts';
import { addMembers, keepPresent, ownMembership, removeMembers, requireMembers } from './members.ts';
import { lockEventType } from './queries.ts';
import {
  type EventType,
  type EventTypeInput,
  type EventTypeMembersInput,
  EventTypeModel,
  type EventTypePatch,
  eventTypeFacts,
  eventTypeFieldNames,
  SLUG_ONCE,
} from './record.ts';
import { isHosted, requireShape } from './shape.ts';
import { freeSlug } from './slug.ts';

/**
 * Makes an event type. Errors: `validation_failed`, `seats_mismatch`, `no_members`, `members_mismatch`,
 * `unknown_reference`, `already_exists`.
 */
export async function createEventType(
  work: Work,
  { members: sent = ownMembership(work), slug: asked, external_id, metadata, ...given }: EventTypeInput,
  random: (count: number) => Uint8Array = randomBytes,
): Promise<EventType> {
  const slug = asked ?? (await freeSlug(work, given.title, random));
  const fields = { ...eventTypeDefaults, ...given, slug };
  requireShape(fields);
  const members = await requireMembers(work, sent, fields.assignment, await keepPresent(work, sent));
  const at = work.now.toISOString();
  const type: EventType = {
    id: newId('etype', work.now),
    object: 'scheduler.event_type',
    ...pick(fields, eventTypeFieldNames),
    members,
    external_id: external_id ?? null,
    metadata: metadataAfter({}, metadata),
    created_at: at,
    updated_at: at,
  };
  // Somebody may take the slug of the title at the same moment: then this one gets another.
  if (asked === undefined) work.repeatOn(SLUG_ONCE);
  work.insert(EventTypeModel, { ...columnsOf(type), created_by: work.actor.user_id });
  addMembers(work, type.id, members);
  work.record(eventTypeFacts.created, { before: null, after: type });
  return type;
}

/**
 * Changes the fields sent; nested objects and lists are replaced whole. Errors: `not_found`, `precondition_failed`,
 * `validation_failed`, `seats_mismatch`, `already_exists`, `assignment_mismatch` where the members do not fit the new
 * assignment, or could not host what becomes active.
 */
export async function updateEventType(work: Work, id: string, patch: EventTypePatch): Promise<EventType> {
  const before = await lockEventType(work, id);
  work.precondition(before);
  const changed: EventType = {
    ...before,
    ...sentOrKept(patch, before, [...eventTypeFieldNames, 'external_id']),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (work.isSame(eventTypeFacts.updated, before, changed)) return before;
  requireShape(changed);
  const isAsked = changed.assignment !== before.assignment || (changed.is_active && !before.is_active);
  if (isAsked && !isHosted(changed.members, changed.assignment)) throw new Failure('assignment_mismatch');
  return saveEventType(work, before, changed);
}

/**
 * Replaces the members of an event type, and its assignment where one is sent. Errors: `not_found`,
 * `precondition_failed`, `validation_failed`, `seats_mismatch`, `no_members`, `members_mismatch`, `unknown_reference`.
 */
export async function replaceMembers(
  work: Work,
  id: string,
  { members: sent, assignment: asked }: EventTypeMembersInput,
): Promise<EventType> {
  const present = await keepPresent(work, sent);
  const before = await lockEventType(work, id);
  work.precondition(before);
  const assignment = asked ?? before.assignment;
  const members = await requireMembers(work, sent, assignment, present);
  const changed: EventType = { ...before, assignment, members };
  if (work.isSame(eventTypeFacts.updated, before, changed)) return before;
  requireShape(changed);
  removeMembers(work, id);
  addMembers(work, id, members);
  return saveEventType(work, before, changed);
}

/**
 * Takes an event type out of lists and pages; its bookings stay. Errors: `not_found`, `precondition_failed`, `in_use` while
 * a booking waits or lies ahead, or a proposal is open.
 */
export async function deleteEventType(work: Work, id: string): Promise<void> {
  const before = await lockEventType(work, id, 'FOR UPDATE');
  work.precondition(before);
  await refuseInUse(work, id);
  removeMembers(work, id);
  work.update(EventTypeModel, id, { deleted_at: work.now.toISOString(), updated_at: work.touch(before) });
  work.record(eventTypeFacts.deleted, { before, after: null });
}

/** Errors: `in_use`. A booking that still goes on lies ahead; none lasts longer than a day. */
async function refuseInUse({ connection, organization_id, now }: Work, id: string): Promise<void> {
  const [used] = await connection.query<{ by_booking: boolean; by_proposal: boolean }>(
    `SELECT EXISTS (
         SELECT FROM scheduler_bookings
          WHERE organization_id = $1 AND event_type_id = $2 AND "start" > $3::timestamptz - interval '1 day'
            AND "end" > $3 AND (status = 'confirmed' OR status = 'pending' AND pending_expires_at > $3)) AS by_booking,
       EXISTS (
         SELECT FROM scheduler_proposals
          WHERE organization_id = $1 AND event_type_id = $2 AND status = 'open' AND expires_at > $3) AS by_proposal`,
    [organization_id, id, now],
  );
  if (used!.by_booking) {
    throw new Failure('in_use', {
      detail: {
        en: 'A booking of the event type waits or lies ahead; cancel it first, or make the event type inactive',
        ja: '確認待ちまたはこれからの予約があります。先にキャンセルするか、イベントタイプを無効にしてください',
      },
    });
  }
  if (used!.by_proposal) {
    throw new Failure('in_use', {
      detail: {
        en: 'A proposal of the event type is open; withdraw it first',
        ja: '回答待ちの日程候補があります。先に取り下げてください',
      },
    });
  }
}

function saveEventType(work: Work, before: EventType, changed: EventType): EventType {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, created_at, ...columns } = columnsOf(after);
  work.update(EventTypeModel, id, columns);
  work.record(eventTypeFacts.updated, { before, after });
  return after;
}

/** An event type as a row; it is searched by its title and description. */
function columnsOf(type: EventType) {
  const { object, members, ...columns } = type;
  const search_text = searchText([type.title, type.description]);
  return { ...columns, search_text, search_grams: gramsOf(search_text) };
}
