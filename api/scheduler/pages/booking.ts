import type { Language } from '../../../shared/kernel/language.ts';
import type { Reader } from '../../../shared/kernel/reader.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import { GuestCancellation, GuestRescheduling } from '../../../shared/scheduler/bookings/input.ts';
import { bookingLink, bookingLinks } from '../../../shared/scheduler/bookings/links.ts';
import { readSlotsOfMove } from '../../../shared/scheduler/bookings/moving.ts';
import type { BookingRecord, GuestBooking } from '../../../shared/scheduler/bookings/record.ts';
import { liveOfMove, rescheduleAsGuest } from '../../../shared/scheduler/bookings/reschedule.ts';
import { bookingRow } from '../../../shared/scheduler/bookings/rows.ts';
import { cancelAsGuest } from '../../../shared/scheduler/bookings/settle.ts';
import { shownToGuest } from '../../../shared/scheduler/bookings/shown.ts';
import { NO_TYPE } from '../../../shared/scheduler/bookings/transitions.ts';
import { eventTypeOfBooking } from '../../../shared/scheduler/event-types/queries.ts';
import type { EventType } from '../../../shared/scheduler/event-types/record.ts';
import { parsed } from '../../pages/kit/fields.ts';
import type { Form, Go, LinkedPage, LinkedVisit, Refused, View } from '../../pages/kit/page.ts';
import { type Asked, address, askedIn, askedOf, kept as keptTexts } from './address.ts';
import { booked } from './booked.ts';
import { advice } from './ended.ts';
import { type Formats, formatsOf } from './format.ts';
import { framed } from './frame.ts';
import { liveForForm } from './live.ts';
import { monthOf } from './month.ts';
import { move, moveTo } from './move.ts';
import { type Site, siteOf } from './read.ts';
import { choiceOf, daysOf, firstMonth, rangeOf, slotsOf } from './times.ts';

/** Where a guest looks at a booking, moves it and cancels it. */
export const bookingPage: LinkedPage = {
  path: '/b/:token',
  opened_by: { purpose: bookingLinks, for_guests: true, advice },
  show,
  submit,
};

type Opened = Site & { row: BookingRecord; booking: GuestBooking; type: EventType | null };

async function show(visit: LinkedVisit, refused?: Refused): Promise<View> {
  const asked = refused ? askedIn(refused.form) : askedOf(visit);
  const opened = await visit.steps.read((reader) => openedOf(reader, visit.opened.record_id));
  const { booking, type, settings } = opened;
  const language = visit.asked_language ?? type?.locale ?? visit.language;
  const formats = formatsOf(language, asked.time_zone ?? booking.guest.time_zone, settings.time_format);
  const at = { visit: { ...visit, language }, language, formats, booking, refused };
  const wantsOther = visit.query('move') !== '' || refused?.form.get('action') === 'reschedule';
  const canMove = type !== null && booking.available_actions.includes('reschedule');
  const body =
    wantsOther && canMove
      ? await moving(at, opened, asked, type)
      : booked({
          ...at,
          questions: type?.questions ?? [],
          cancel_policy: settings.cancel_policy,
          calendar_file: booking.status === 'confirmed' ? `/api/v1/scheduler/b/${visit.param}/ics` : null,
          type_page: type === null || !isBookable(type) ? null : pageOf(visit, opened, type),
        });
  const { time_zone, month, date, start } = asked;
  const kept = wantsOther ? keptTexts({ move: 1, time_zone, month, date, start }) : {};
  return framed(opened, { title: booking.title, body, language, kept });
}

async function openedOf(reader: Reader, id: string): Promise<Opened> {
  const row = await bookingRow(reader, id);
  const type = row.event_type_id === null ? null : await eventTypeOfBooking(reader, row.event_type_id);
  return {
    ...(await siteOf(reader)),
    row,
    booking: await shownToGuest(reader, row, type ?? NO_TYPE),
    type,
  };
}

type At = {
  visit: LinkedVisit;
  language: Language;
  formats: Formats;
  booking: GuestBooking;
  refused: Refused | undefined;
};

/** Where another time is chosen, or confirmed once it is. */
async function moving(at: At, opened: Opened, asked: Asked, type: EventType): Promise<string> {
  const { visit, formats, refused } = at;
  const today = formats.date(visit.steps.caller.now.getTime());
  // A time that was refused is not chosen any more, unless it may be tried again soon.
  const isKept = refused === undefined || refused.failure.code === 'calendar_unavailable';
  const start = isKept ? asked.start : null;
  const day = asked.start === null ? asked.date : formats.date(asked.start);
  const wanted = { date: day, month: asked.month };
  const timesFrom = async (first: string) => {
    const range = { ...rangeOf(first), time_zone: formats.time_zone };
    const slots = await visit.steps.read((reader) => readSlotsOfMove(reader, opened.row, type, range));
    return { first, days: daysOf(slotsOf((await slots()).slots), formats) };
  };
  const asksForNone = day === null && asked.month === null;
  const own = monthOf(formats.date(Date.parse(at.booking.start)));
  const around = await timesFrom(firstMonth(asksForNone ? { date: null, month: own } : wanted, today));
  // Who asks for no month sees that of the booking; the first one with free times where that and the next have none.
  const { first, days } = asksForNone && around.days.size === 0 ? await timesFrom(monthOf(today)) : around;
  const picking = {
    ...at,
    week_starts_on: opened.settings.week_starts_on,
    kept: { move: 1, time_zone: asked.time_zone },
    today,
    days,
    choice: choiceOf(wanted, first, days),
    has_seats: type.seats_per_slot > 1,
  };
  const isFree = [...days.values()].flat().some((slot) => slot.start === start);
  return start !== null && isFree ? moveTo(picking, start) : move(picking);
}

/** Whether guests can book the type now: a deleted one has no members. */
function isBookable({ is_active, members }: EventType): boolean {
  return is_active && members.length > 0;
}

function pageOf(visit: LinkedVisit, { organization }: Site, { slug }: EventType): string {
  return address(visit, {}, `/p/${organization.slug}/${slug}`);
}

async function submit(visit: LinkedVisit, form: Form): Promise<Go> {
  const { steps, opened } = visit;
  const { organization_id, record_id } = opened;
  const change = await changeOf(visit, form);
  await steps.write({ organization_id, may_change_nothing: true }, async (work) => {
    const after = await change(work);
    // The link ends a time after the booking does, which may have moved.
    const { baseUrl: base_url } = steps.context.settings;
    const making = { connection: work.connection, now: work.now, base_url };
    await bookingLink(making, { organization_id, id: record_id, end: after.end });
  });
  return { to: address(visit, {}) };
}

/** What a form does to the booking. Calendars are asked here, before anything is locked. */
async function changeOf(visit: LinkedVisit, form: Form): Promise<(work: Work) => Promise<BookingRecord>> {
  const { organization_id, record_id: id } = visit.opened;
  if (form.get('action') === 'reschedule') {
    const { start } = parsed(GuestRescheduling, { start: form.get('start') });
    const live = await liveForForm(visit.steps, organization_id, (reader) =>
      liveOfMove(reader, id, { start, force: false }),
    );
    return (work) => rescheduleAsGuest(work, id, start, live);
  }
  const text = form.get('reason').replaceAll('\r\n', '\n').trim() || null;
  const { reason } = parsed(GuestCancellation, { reason: text });
  return (work) => cancelAsGuest(work, id, reason);
}
