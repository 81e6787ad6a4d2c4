import { faultsOf, invalid, invalidAll } from '../../kernel/failure.ts';
import type { EventType } from '../event-types/record.ts';
import type { SchedulerSettings } from '../settings/record.ts';
import { checkedAnswers } from './answers.ts';
import type { GuestBookingInput } from './input.ts';
import type { BookedLocation, Guest } from './record.ts';

type Sent = Pick<GuestBookingInput, 'guest' | 'location_type' | 'additional_guests' | 'duration_minutes'>;

/**
 * Sees that what was sent fits the event type. Errors: `validation_failed` with all that does not, at /duration_minutes,
 * /answers/<id>, /additional_guests, /location_type, /guest/phone: who fills in a form hears all of it at once.
 */
export function checkSent(sent: Sent & Pick<GuestBookingInput, 'answers'>, event_type: EventType): void {
  const faults = faultsOf(
    () => lengthOf(event_type, sent.duration_minutes),
    () => checkedAnswers(event_type.questions, sent.answers),
    () => checkGuests(sent, event_type),
    () => locationOf(sent, event_type),
  );
  if (faults.length > 0) throw invalidAll(faults);
}

/** The guest with all that was not sent. `time_zone` is that in which the dates of the event type are counted. */
export function guestOf(
  { guest }: Sent,
  { locale }: EventType,
  settings: SchedulerSettings,
  time_zone: string,
): Guest {
  return {
    name: guest.name,
    email: guest.email,
    time_zone: guest.time_zone ?? time_zone,
    locale: guest.locale ?? locale ?? settings.locale,
    phone: guest.phone ?? null,
  };
}

/**
 * Where a booking takes place: the type's first location, or the one that is asked for; null where it has none. A guest who is
 * called gives the number. Errors: `validation_failed` at /location_type, /guest/phone.
 */
export function locationOf({ guest, location_type }: Sent, { locations }: EventType): BookedLocation | null {
  const chosen =
    location_type === undefined ? locations[0] : locations.find(({ type }) => type === location_type);
  if (!chosen && location_type !== undefined) {
    throw invalid('/location_type', 'not_offered', {
      en: 'location_type must be a location of the event type',
      ja: 'location_type には、このイベントタイプの場所を指定してください',
    });
  }
  if (!chosen) return null;
  const { type, label, value } = chosen;
  if (type !== 'phone_guest') return { type, label, value };
  if (!guest.phone) {
    throw invalid('/guest/phone', 'required', {
      en: 'guest.phone is required: the host calls this number',
      ja: 'guest.phone は必須です。主催者がこの番号に電話します',
    });
  }
  return { type, label, value: guest.phone };
}

/** Sees that the type takes so many more guests. Errors: `validation_failed` at /additional_guests. */
function checkGuests({ additional_guests }: Sent, { max_additional_guests: most }: EventType): void {
  if (additional_guests.length <= most) return;
  throw invalid('/additional_guests', 'too_many', {
    en: `additional_guests must have ${most} addresses or fewer`,
    ja: `additional_guests は${most}件以内で指定してください`,
  });
}

/** The length that is asked for, which must be one that the type offers. Errors: `validation_failed` at /duration_minutes. */
export function lengthOf(
  { duration_minutes, duration_options }: EventType,
  asked: number = duration_minutes,
): number {
  if (asked === duration_minutes || duration_options.includes(asked)) return asked;
  throw invalid('/duration_minutes', 'not_offered', {
    en: 'duration_minutes must be a length that the event type offers',
    ja: 'duration_minutes には、このイベントタイプで選べる所要時間を指定してください',
  });
}
