import { Failure, faultsOf, invalidAll } from '../../../shared/kernel/failure.ts';
import { checkedAnswers } from '../../../shared/scheduler/bookings/answers.ts';
import { bookingLink } from '../../../shared/scheduler/bookings/links.ts';
import { eventTypeOfBooking } from '../../../shared/scheduler/event-types/queries.ts';
import { acceptProposal, liveOfAcceptance } from '../../../shared/scheduler/proposals/accept.ts';
import { declineProposal } from '../../../shared/scheduler/proposals/life.ts';
import { proposalLinks } from '../../../shared/scheduler/proposals/links.ts';
import { Acceptance, type GuestProposal } from '../../../shared/scheduler/proposals/record.ts';
import { proposalRow } from '../../../shared/scheduler/proposals/rows.ts';
import { proposalForGuest } from '../../../shared/scheduler/proposals/shown.ts';
import { parsed } from '../../pages/kit/fields.ts';
import type { Form, Go, LinkedPage, LinkedVisit, Refused, View } from '../../pages/kit/page.ts';
import { address } from './address.ts';
import { named } from './book-by-form.ts';
import { advice } from './ended.ts';
import { formatsOf } from './format.ts';
import { framed } from './frame.ts';
import { liveForForm } from './live.ts';
import { proposed } from './proposed.ts';
import { answersOf } from './questions.ts';
import { siteOf } from './read.ts';

/** Where a guest chooses one of the times that were proposed, or none. */
export const proposalPage: LinkedPage = {
  path: '/pr/:token',
  opened_by: { purpose: proposalLinks, for_guests: true, advice },
  form_bytes: 1024 * 1024,
  show,
  submit,
};

function openedOf({ steps, opened }: LinkedVisit) {
  return steps.read(async (reader) => {
    const row = await proposalRow(reader, opened.record_id);
    const type = row.event_type_id === null ? null : await eventTypeOfBooking(reader, row.event_type_id);
    const proposal = { ...(await proposalForGuest(reader, row)), hold: row.hold };
    return { ...(await siteOf(reader)), type, proposal };
  });
}

async function show(visit: LinkedVisit, refused?: Refused): Promise<View> {
  const opened = await openedOf(visit);
  const { type, settings } = opened;
  const proposal = stillFree(opened.proposal, refused);
  const language = visit.asked_language ?? type?.locale ?? visit.language;
  const formats = formatsOf(language, proposal.guest.time_zone, settings.time_format);
  const body = proposed({
    visit: { ...visit, language },
    language,
    formats,
    proposal,
    questions: type?.questions ?? [],
    refused,
  });
  return framed(opened, { title: proposal.title, body, language });
}

/**
 * The proposal with the times as free as the refusal of one says: a calendar that was asked for it may know more than our rows.
 */
function stillFree<Proposed extends Pick<GuestProposal, 'candidates'>>(
  proposal: Proposed,
  refused: Refused | undefined,
): Proposed {
  const free = refused?.failure.details.members?.['alternatives'];
  if (!Array.isArray(free)) return proposal;
  const candidates = proposal.candidates.map((each) => ({ ...each, available: free.includes(each.start) }));
  return { ...proposal, candidates };
}

async function submit(visit: LinkedVisit, form: Form): Promise<Go> {
  const { steps, opened } = visit;
  const { organization_id, record_id } = opened;
  const acting = { organization_id, may_change_nothing: true };
  if (form.get('action') === 'decline') {
    const reason = form.get('reason').replaceAll('\r\n', '\n').trim().slice(0, 1_000) || null;
    await steps.write(acting, (work) => declineProposal(work, record_id, reason));
    return { to: address(visit, {}) };
  }
  const { type } = await openedOf(visit);
  try {
    const answers = answersOf(type?.questions ?? [], form);
    const sent = { start: form.get('start'), answers };
    const faults = faultsOf(
      () => parsed(Acceptance, sent),
      () => checkedAnswers(type?.questions ?? [], answers),
    );
    if (faults.length > 0) throw invalidAll(faults);
    const accepted = parsed(Acceptance, sent);
    const live = await liveForForm(visit.steps, organization_id, (reader) =>
      liveOfAcceptance(reader, record_id, accepted),
    );
    const { guest_url } = await steps.write(acting, async (work) => {
      const { booking } = await acceptProposal(work, record_id, accepted, live);
      const making = { connection: work.connection, now: work.now, base_url: steps.context.settings.baseUrl };
      return bookingLink(making, { organization_id, id: booking.id, end: booking.end });
    });
    return { to: address(visit, {}, new URL(guest_url).pathname) };
  } catch (error) {
    throw error instanceof Failure ? named(error) : error;
  }
}
