import type { z } from 'zod';
import { Failure, faultsOf, invalidAll } from '../../../shared/kernel/failure.ts';
import { bookAsGuest, liveOfBooking } from '../../../shared/scheduler/bookings/book.ts';
import { checkSent } from '../../../shared/scheduler/bookings/guest.ts';
import { GuestBookingInput } from '../../../shared/scheduler/bookings/input.ts';
import { bookingLink } from '../../../shared/scheduler/bookings/links.ts';
import type { EventType } from '../../../shared/scheduler/event-types/record.ts';
import { bookableEventType } from '../../../shared/scheduler/public/queries.ts';
import { parsed } from '../../pages/kit/fields.ts';
import type { Form, Visit } from '../../pages/kit/page.ts';
import { address } from './address.ts';
import { liveForForm } from './live.ts';
import { answersOf, fieldName } from './questions.ts';

/** 128 random bits: by them a form that is sent twice books once. */
export const FORM_KEY = /^[0-9a-f]{32}$/;

/**
 * Books what a form asks for, once, and answers the path of the booking's page. Errors: those of `bookAsGuest`, their paths the
 * names of fields.
 */
export async function bookByForm(visit: Visit, form: Form): Promise<string> {
  const { steps, params } = visit;
  const slug = params['eventTypeSlug']!;
  const { organization_id } = steps.caller;
  const type = await steps.read((reader) => bookableEventType(reader, slug));
  const sent = form.get('form_key');
  const key = FORM_KEY.test(sent) ? sent : null;
  try {
    const input = checked(inputOf(visit, type, form), type);
    const live = await liveForForm(visit.steps, organization_id, (reader) =>
      liveOfBooking(reader, type, input),
    );
    const book = () =>
      steps.write({ organization_id, may_change_nothing: true }, async (work) => {
        const { booking } = await bookAsGuest(work, slug, input, key, live);
        const { baseUrl: base_url } = steps.context.settings;
        const making = { connection: work.connection, now: work.now, base_url };
        return bookingLink(making, { organization_id, id: booking.id, end: booking.end });
      });
    const { guest_url } = await book().catch((error) => {
      if (key === null || !isOfOthers(error)) throw error;
      // The same form may have been sent twice at once: then its own booking is in the way, and is found now.
      return book();
    });
    return address(visit, {}, new URL(guest_url).pathname);
  } catch (error) {
    throw error instanceof Failure ? named(error) : error;
  }
}

/** Whether another booking is in the way. */
function isOfOthers(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'slot_taken' || error.code === 'already_booked');
}

/** What the form sent, as the API takes it. Errors: `validation_failed` with all that is wrong, by its form or for this type. */
function checked(sent: Sent, type: EventType): GuestBookingInput {
  const faults = faultsOf(
    () => parsed(GuestBookingInput, sent),
    () => checkSent(sent, type),
  );
  if (faults.length > 0) throw invalidAll(faults);
  return parsed(GuestBookingInput, sent);
}

type Sent = z.input<typeof GuestBookingInput> & Pick<GuestBookingInput, 'additional_guests' | 'answers'>;

function inputOf({ language }: Visit, type: EventType, form: Form): Sent {
  const others = form.get('additional_guests').split(/[\s,;]+/);
  const text = (name: string) => form.get(name).trim() || undefined;
  return {
    start: form.get('start'),
    duration_minutes: Number(form.get('duration_minutes')) || undefined,
    guest: {
      name: form.get('name').trim(),
      email: form.get('email').trim(),
      time_zone: text('time_zone'),
      locale: type.locale ?? language,
      phone: text('phone'),
    },
    additional_guests: others.filter((each) => each !== ''),
    answers: answersOf(type.questions, form),
    location_type: text('location_type') as z.input<typeof GuestBookingInput>['location_type'],
  };
}

/** The failure with the names of the form's fields in the place of the API's. */
export function named(failure: Failure): Failure {
  const { errors, ...details } = failure.details;
  if (!errors) return failure;
  const renamed = errors.map((error) => ({ ...error, path: fieldOf(error.path) }));
  return new Failure(failure.code, { ...details, errors: renamed });
}

function fieldOf(path: string): string {
  const [, first, second] = path.split('/');
  if (first === 'guest') return `/${second}`;
  if (first === 'answers' && second !== undefined) return `/${fieldName({ id: second })}`;
  return `/${first}`;
}
