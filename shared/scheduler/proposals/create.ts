import { DAY } from '../../kernel/days.ts';
import { Failure, type FieldError, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { BookedLocation } from '../bookings/record.ts';
import { lockEventType } from '../event-types/lock.ts';
import { eventTypeById } from '../event-types/queries.ts';
import type { EventType } from '../event-types/record.ts';
import { queueProposalMail } from '../mails/proposal-mail.ts';
import { lockHosts } from '../occupancies/hosts.ts';
import { occupy } from '../occupancies/occupy.ts';
import { settleOverdue } from '../occupancies/overdue.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import type { SchedulerSettings } from '../settings/record.ts';
import { blocksOfHosts, inTheWay, reachOfSpans, spansOfProposal } from './blocks.ts';
import { overlap, type Span, union } from './candidates.ts';
import { proposalChanged } from './changes.ts';
import { expiryOf } from './expires-at.ts';
import { hostsOf } from './hosts.ts';
import { type ProposalInput, ProposalModel, type ProposalRow } from './record.ts';

/** Days from today on which anything can be booked. */
const FURTHEST = 730;

/**
 * Proposes times to a guest. With `hold: tentative` all of them are taken for every host, all or none. Locks the event type,
 * as bookings do, then the hosts. Errors:
 * `unknown_reference`, `members_mismatch`, `validation_failed`; `not_bookable` for a start that is past or too far;
 * `slot_taken` with an entry for each candidate that something is in the way of.
 */
export async function createProposal(work: Work, input: ProposalInput): Promise<ProposalRow> {
  const [event_type, settings] = await Promise.all([
    typeOf(work, input.event_type_id),
    schedulerSettingsOf(work),
  ]);
  const at = work.now.toISOString();
  const row: ProposalRow = {
    id: newId('prop', work.now),
    event_type_id: event_type?.id ?? null,
    title: input.title ?? event_type!.title,
    duration_minutes: input.duration_minutes ?? event_type!.duration_minutes,
    location: locationOf(input, event_type),
    user_ids: await hostsOf(work, input.user_ids, event_type),
    candidates: input.candidates,
    guest: guestOf(input, event_type, settings),
    message: input.message,
    hold: input.hold,
    status: 'open',
    expires_at: expiryOf(input.expires_at, input.candidates, work.now),
    booking_id: null,
    decline_reason: null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
  requireStarts(row, work.now);
  await takeTimes(work, row, event_type);
  proposalChanged(work, { action: 'created', before: null, after: row });
  if (input.notify) queueProposalMail(work, row);
  return row;
}

async function typeOf(work: Work, id: string | null): Promise<EventType | null> {
  if (id === null) return null;
  return eventTypeById(work, id).catch((error) => {
    if (error instanceof Failure && error.code === 'not_found') throw unknownReference('/event_type_id', id);
    throw error;
  });
}

function locationOf({ location }: ProposalInput, event_type: EventType | null): BookedLocation | null {
  return location === undefined ? (event_type?.locations[0] ?? null) : location;
}

function guestOf(
  { guest }: ProposalInput,
  event_type: EventType | null,
  settings: SchedulerSettings,
): ProposalRow['guest'] {
  const { name, email, time_zone, locale } = guest;
  return {
    name,
    email,
    time_zone: time_zone ?? event_type?.time_zone ?? settings.time_zone,
    locale: locale ?? event_type?.locale ?? settings.locale,
  };
}

/** Nothing is proposed that is past, or further ahead than anything can be booked. */
function requireStarts({ candidates }: ProposalRow, now: Date): void {
  const wrong = candidates.flatMap(({ start }, place): FieldError[] => {
    const at = Date.parse(start);
    if (at < now.getTime()) return [startFault(place, 'past')];
    return at > now.getTime() + FURTHEST * DAY ? [startFault(place, 'beyond_window')] : [];
  });
  if (wrong.length > 0) throw new Failure('not_bookable', { errors: wrong });
}

/** Takes the times of a proposal, or sees that they are free where it holds none. */
async function takeTimes(work: Work, row: ProposalRow, event_type: EventType | null): Promise<void> {
  if (event_type) await lockEventType(work, event_type);
  await lockHosts(work, row.user_ids);
  await settleOverdue(work, row.user_ids);
  const spans = spansOfProposal(row);
  const blocks = await blocksOfHosts(work, row.user_ids, reachOfSpans(spans), []);
  const others = inTheWay(blocks, { ...row, hold: 'none' });
  const taken = row.candidates.flatMap(({ start }, place) => {
    const span = spans.find((one) => one.start === Date.parse(start))!;
    return others.some((block) => overlap(span, block)) ? [startFault(place, 'busy')] : [];
  });
  if (taken.length > 0) throw new Failure('slot_taken', { errors: taken });
  work.insert(ProposalModel, row);
  if (row.hold === 'tentative') occupy(work, holdsOf(row, union(spans), event_type));
}

function holdsOf(row: ProposalRow, spans: readonly Span[], event_type: EventType | null) {
  return row.user_ids.flatMap((user_id) =>
    spans.map(({ start, end }, position) => ({
      kind: 'proposal' as const,
      record_id: row.id,
      position,
      user_id,
      event_type_id: row.event_type_id,
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      buffer_before_minutes: event_type?.buffer_before_minutes ?? 0,
      buffer_after_minutes: event_type?.buffer_after_minutes ?? 0,
      assigned_at: row.created_at,
      expires_at: row.expires_at,
    })),
  );
}

const words = {
  past: { en: 'is past', ja: 'は過去の日時です' },
  beyond_window: { en: 'is more than 730 days ahead', ja: 'は730日より先の日時です' },
  busy: { en: 'is not free', ja: 'は空いていません' },
};

function startFault(place: number, code: keyof typeof words): FieldError {
  const path = `/candidates/${place}/start`;
  const { en, ja } = words[code];
  return { in: 'body', path, code, message: { en: `The start ${en}`, ja: `この開始日時${ja}` } };
}
