import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { checkedAnswers } from '../bookings/answers.ts';
import { insertBooking } from '../bookings/book.ts';
import { type LiveWanted, NOBODY_ASKED } from '../bookings/live.ts';
import { occupyFor } from '../bookings/place.ts';
import { type BookingRecord, emailKey } from '../bookings/record.ts';
import { refusalOf } from '../bookings/refusals.ts';
import { bookingRow } from '../bookings/rows.ts';
import type { LiveBusy } from '../calendars/live/ask.ts';
import { lockEventType } from '../event-types/lock.ts';
import { eventTypeOfBooking } from '../event-types/queries.ts';
import { lockHosts } from '../occupancies/hosts.ts';
import { release } from '../occupancies/occupy.ts';
import { settleOverdue } from '../occupancies/overdue.ts';
import { blocksOfHosts, inTheWay, reachOfSpans, spansOfProposal } from './blocks.ts';
import { freeOf, type Span } from './candidates.ts';
import { proposalChanged } from './changes.ts';
import { type Acceptance, ProposalModel, type ProposalRow } from './record.ts';
import { lockProposal, proposalRow } from './rows.ts';
import { statusAt } from './status.ts';
import { requireAction } from './transitions.ts';

export type Accepted = { proposal: ProposalRow; booking: BookingRecord; is_new: boolean };

/**
 * Books one of the times of a proposal for its guest, and frees the others, in one transaction. The same start again answers
 * the same booking. Locks the proposal, its event type, then its hosts. Errors: `not_found`; `invalid_transition` for what is
 * not open, and for another start than was accepted; `validation_failed` at /start for none of its times and at /answers/<id>;
 * `not_bookable` for a time that is past; `calendar_unavailable`; `slot_taken` with the times that are free yet as `alternatives`.
 */
export async function acceptProposal(
  work: Work,
  id: string,
  { start, answers }: Acceptance,
  live: LiveBusy = NOBODY_ASKED,
): Promise<Accepted> {
  const before = await lockProposal(work, id);
  if (before.status === 'accepted' && before.booking_id !== null) {
    const booking = await bookingRow(work, before.booking_id);
    if (acceptedStart(booking) === start) {
      work.nothingChanged();
      return { proposal: before, booking, is_new: false };
    }
  }
  requireAction(statusAt(before, work.now), 'accept', { grants: null });
  const chosen = spansOfProposal(before).find((span) => span.start === Date.parse(start));
  if (!chosen) throw notOffered();
  const event_type =
    before.event_type_id === null ? null : await eventTypeOfBooking(work, before.event_type_id);
  const checked = checkedAnswers(event_type?.questions ?? [], answers);
  if (event_type) await lockEventType(work, event_type);
  await lockHosts(work, before.user_ids);
  await settleOverdue(work, before.user_ids);
  await requireFree(work, before, chosen, live);

  release(work, [id]);
  const booking = bookingOf(work, before, chosen, checked);
  occupyFor(work, event_type, booking, booking.user_ids);
  await insertBooking(work, booking, true);
  const changes = { status: 'accepted' as const, booking_id: booking.id, updated_at: work.touch(before) };
  const proposal = { ...before, ...changes };
  work.update(ProposalModel, id, changes);
  proposalChanged(work, { action: 'accepted', before, after: proposal });
  return { proposal, booking, is_new: true };
}

/** What calendars are asked before a time is accepted that nobody holds; null where they need not be. */
export async function liveOfAcceptance(
  reader: Reader,
  id: string,
  { start }: Acceptance,
): Promise<LiveWanted> {
  const proposal = await proposalRow(reader, id);
  const { duration_minutes, user_ids } = proposal;
  if (proposal.hold !== 'none' || statusAt(proposal, reader.now) !== 'open') return null;
  const members = user_ids.map((user_id) => ({
    user_id,
    role: 'required' as const,
    priority: 2,
    availability_id: null,
  }));
  const event_type = { members, buffer_before_minutes: 0, buffer_after_minutes: 0 };
  return { event_type, start, duration_minutes };
}

/** The start that a guest accepted, wherever the booking was moved since. */
function acceptedStart({ history, start }: BookingRecord): string {
  return history[0]?.start ?? start;
}

async function requireFree(work: Work, proposal: ProposalRow, chosen: Span, live: LiveBusy): Promise<void> {
  const now = work.now.getTime();
  if (chosen.start < now) {
    throw new Failure('not_bookable', {
      errors: [
        {
          in: 'body',
          path: '/start',
          code: 'past',
          message: { en: 'this time is past', ja: 'この日時はすでに過ぎています' },
        },
      ],
    });
  }
  const spans = spansOfProposal(proposal);
  const blocks = await blocksOfHosts(work, proposal.user_ids, reachOfSpans(spans), [proposal.id]);
  const said = [...live.values()];
  if (said.some(({ known }) => known === 'unknown')) throw refusalOf('calendar_unavailable');
  const busy = said.flatMap((answer) => (answer.known === 'live' ? answer.busy : []));
  const free = freeOf(spans, [...inTheWay(blocks, proposal), ...busy], now);
  if (free.some(({ start }) => start === chosen.start)) return;
  throw new Failure('slot_taken', {
    members: { alternatives: free.map(({ start }) => new Date(start).toISOString()) },
  });
}

function bookingOf(
  work: Work,
  proposal: ProposalRow,
  { start, end }: Span,
  answers: BookingRecord['answers'],
): BookingRecord {
  const at = work.now.toISOString();
  return {
    id: newId('book', work.now),
    event_type_id: proposal.event_type_id,
    title: proposal.title,
    status: 'confirmed',
    is_counted: true,
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    guest: { ...proposal.guest, phone: null },
    guest_email_key: emailKey(proposal.guest.email),
    additional_guests: [],
    answers,
    user_ids: proposal.user_ids,
    assignment_reason: null,
    assigned_at: at,
    location: proposal.location,
    source: 'proposal',
    proposal_id: proposal.id,
    session_id: null,
    revision: 0,
    ics_sequence: 0,
    history: [],
    pending_expires_at: null,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    calendar_sync: 'none',
    form_key: null,
    external_id: null,
    metadata: {},
    created_by: null,
    created_at: at,
    updated_at: at,
  };
}

function notOffered(): Failure {
  return invalid('/start', 'invalid_value', {
    en: 'start must be one of the candidates',
    ja: 'start には候補の開始日時を指定してください',
  });
}
