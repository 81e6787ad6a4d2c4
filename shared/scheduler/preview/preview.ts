import { daysOff } from '../../attendance/days-off.ts';
import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Pausing } from '../../kernel/turns.ts';
import { shownSlots } from '../offers/shown.ts';
import { reachOf } from '../questions/reach.ts';
import { type Range, rangeIn } from '../range.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { startsOf } from '../slots/starts.ts';
import type { Host, Question } from '../slots/types.ts';
import type { SlotPreview, SlotPreviewInput } from './record.ts';

const MINUTE = 60_000;

/** As far as candidates are told. */
const LONGEST_EXPLAINED = 48 * 60 * MINUTE;

/** What the organization adds to a preview. */
export type PreviewSurroundings = Pick<Question, 'holidays' | 'week_starts_on'>;

/** The holidays that matter for a preview, and the first day of the week. Errors: `validation_failed` at its place. */
export async function previewSurroundings(
  reader: Reader,
  input: SlotPreviewInput,
): Promise<PreviewSurroundings> {
  const { now, event_type } = input;
  const at = Date.parse(now);
  const { holidays, leave } = reachOf({
    ...previewRange(input),
    now: at,
    earliest: at + event_type.min_notice_minutes * MINUTE,
    buffer_before: 0,
    in_business_days: event_type.booking_window.type === 'business_days',
    counted_over: null,
  });
  const [off, { week_starts_on }] = await Promise.all([
    daysOff(reader, { user_ids: [], holidays, leave }),
    schedulerSettingsOf(reader),
  ]);
  const closing = off.holidays.filter(({ counts_as }) => counts_as !== 'workday');
  return { holidays: closing.map(({ date }) => date), week_starts_on };
}

/** The starts that would be offered if all were as it is described; it can pause. Errors: `validation_failed` at its place. */
export function* previewOf(input: SlotPreviewInput, surroundings: PreviewSurroundings): Pausing<SlotPreview> {
  const { event_type, hosts } = input;
  const { from, to } = previewRange(input);
  const { duration_minutes } = event_type;
  const time_zone = zoneOfPreview(input);
  const starts = startsOf({
    now: Date.parse(input.now),
    event_type: { ...event_type, time_zone, seats_per_slot: 1 },
    hosts: hosts.map(hostOf),
    ...surroundings,
    counted: countedIn(input),
    sessions: [],
  });
  const offered = yield* starts.offered(from, to);
  const slots = yield* shownSlots(offered, { time_zone, duration_minutes, from, to });
  if (!input.explain) return slots;
  const explained = yield* starts.explained(from, to);
  const candidates = explained.map(({ start, ...rest }) => ({
    start: new Date(start).toISOString(),
    ...rest,
  }));
  return { ...slots, candidates };
}

function zoneOfPreview({ event_type, hosts }: SlotPreviewInput): string {
  return event_type.time_zone ?? hosts[0]!.time_zone;
}

function previewRange(input: SlotPreviewInput): Range {
  const where = { in: 'body', path: '/to' } as const;
  const asked = { from: input.from, to: input.to, dates: 0 };
  const { from, to } = rangeIn(asked, zoneOfPreview(input), Date.parse(input.now), where);
  if (!input.explain || to - from <= LONGEST_EXPLAINED) return { from, to };
  const message = {
    en: 'to must be at most 48 hours after from with explain',
    ja: 'explain を指定したときの to は from から48時間以内で指定してください',
  };
  const fault: FieldError = { ...where, code: 'too_long', message };
  throw invalidAll([fault]);
}

function hostOf({ busy, ...host }: SlotPreviewInput['hosts'][number]): Host {
  const blocks = busy.map(({ start, end, booking, buffer_before_minutes, buffer_after_minutes }) => ({
    kind: booking === null ? ('external' as const) : ('booking' as const),
    id: booking,
    start: Date.parse(start),
    end: Date.parse(end),
    buffer_before_minutes,
    buffer_after_minutes,
  }));
  return { ...host, blocks, calendar_works: true };
}

/** The bookings that the limits count: each name once, whoever hosts it. */
function countedIn({ hosts }: SlotPreviewInput): Question['counted'] {
  const named = new Map<string, { start: number; end: number }>();
  for (const { busy } of hosts) {
    for (const { booking, start, end } of busy) {
      if (booking !== null) named.set(booking, { start: Date.parse(start), end: Date.parse(end) });
    }
  }
  return [...named.values()];
}
