import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { peopleByIds } from '../../platform/access/members/queries.ts';
import { organizationById } from '../../platform/access/organizations/queries.ts';
import { eventTypeOfBooking, livingEventTypeBySlug } from '../event-types/queries.ts';
import type { EventType } from '../event-types/record.ts';
import { gridZoneOf } from '../questions/grid-zone.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import type { SchedulerSettings } from '../settings/record.ts';
import type { ListedEventType, PublicEventType, PublicOrganization } from './record.ts';

/** As many event types as the page of an organization shows. */
export const MOST_LISTED = 500;

/** What a guest asks for beside the path. */
type AskedPage = { locale?: 'ja' | 'en' | undefined; time_zone?: string | undefined };

/** The active event type with that slug. Errors: `not_found`, also for one that guests may not book. */
export async function bookableEventType(reader: Reader, slug: string): Promise<EventType> {
  const event_type = await livingEventTypeBySlug(reader, slug);
  if (!event_type.is_active) throw notFound();
  return event_type;
}

/** Who is certain to come, as guests are told; nobody where members take turns. */
export async function certainHosts(
  reader: Reader,
  { assignment, members }: Pick<EventType, 'assignment' | 'members'>,
): Promise<{ name: string }[]> {
  const required = assignment === 'round_robin' ? [] : members.filter(({ role }) => role === 'required');
  const certain = required.map(({ user_id }) => user_id);
  const named = await peopleByIds(reader, certain);
  return certain.map((user_id) => ({ name: named(user_id).name }));
}

/** The organization that is read in, as guests see it, with its settings. */
async function siteOf(
  reader: Reader,
  { locale }: AskedPage,
): Promise<{ organization: PublicOrganization; settings: SchedulerSettings }> {
  const [{ name, slug }, settings] = await Promise.all([
    organizationById(reader.connection, reader.organization_id),
    schedulerSettingsOf(reader),
  ]);
  const { color, cancel_policy, week_starts_on, time_format } = settings;
  const look = { color, cancel_policy, week_starts_on, time_format };
  const object = 'scheduler.public_organization' as const;
  return { organization: { object, name, slug, ...look, locale: locale ?? settings.locale }, settings };
}

/** An organization with its active event types, in the order in which they were made; the first 500. */
export async function publicEventTypes(
  reader: Reader,
  base_url: string,
  asked: AskedPage,
): Promise<{ organization: PublicOrganization; event_types: ListedEventType[] }> {
  const [{ organization }, rows] = await Promise.all([
    siteOf(reader, asked),
    reader.connection.query<ListedRow>(
      `SELECT title, slug, description, duration_minutes, duration_options, seats_per_slot, locations
         FROM scheduler_event_types WHERE organization_id = $1 AND deleted_at IS NULL AND is_active
        ORDER BY id LIMIT ${MOST_LISTED}`,
      [reader.organization_id],
    ),
  ]);
  return { organization, event_types: rows.map((row) => listedOf(row, organization, base_url)) };
}

/** What a guest needs to book an event type. Errors: `not_found`. */
export async function publicEventType(
  reader: Reader,
  slug: string,
  base_url: string,
  asked: AskedPage,
): Promise<{ organization: PublicOrganization; event_type: PublicEventType }> {
  const [event_type, { organization, settings }] = await Promise.all([
    bookableEventType(reader, slug),
    siteOf(reader, asked),
  ]);
  const [grid, hosts] = await Promise.all([
    asked.time_zone ?? gridZoneOf(reader, event_type, settings),
    certainHosts(reader, event_type),
  ]);
  const locale = asked.locale ?? event_type.locale ?? settings.locale;
  const listed = listedOf(event_type, organization, base_url);
  return { organization, event_type: publicOf(event_type, listed, hosts, { time_zone: grid, locale }) };
}

/** The event type of a booking as its guest sees it, also an inactive or deleted one; null for a booking without one. */
export async function eventTypeOfGuest(
  reader: Reader,
  event_type_id: string | null,
  base_url: string,
): Promise<PublicEventType | null> {
  if (event_type_id === null) return null;
  const [event_type, { organization, settings }] = await Promise.all([
    eventTypeOfBooking(reader, event_type_id),
    siteOf(reader, {}),
  ]);
  const [time_zone, hosts] = await Promise.all([
    gridZoneOf(reader, event_type, settings),
    certainHosts(reader, event_type),
  ]);
  const listed = listedOf(event_type, organization, base_url);
  const locale = event_type.locale ?? settings.locale;
  return publicOf(event_type, listed, hosts, { time_zone, locale });
}

function publicOf(
  event_type: EventType,
  listed: ListedEventType,
  hosts: { name: string }[],
  { time_zone, locale }: Pick<PublicEventType, 'time_zone' | 'locale'>,
): PublicEventType {
  const { questions, max_additional_guests, cancel_cutoff_minutes, reschedule_cutoff_minutes } = event_type;
  return {
    ...listed,
    hosts,
    time_zone,
    locale,
    questions,
    needs_confirmation: event_type.confirmation.mode === 'manual',
    max_additional_guests,
    cancel_cutoff_minutes,
    reschedule_cutoff_minutes,
  };
}

type ListedRow = Pick<
  EventType,
  'title' | 'slug' | 'description' | 'duration_minutes' | 'duration_options' | 'seats_per_slot' | 'locations'
>;

function listedOf(row: ListedRow, organization: { slug: string }, base_url: string): ListedEventType {
  const { title, slug, description, duration_minutes, duration_options, seats_per_slot, locations } = row;
  return {
    object: 'scheduler.public_event_type',
    title,
    slug,
    description,
    duration_minutes,
    duration_options,
    seats_per_slot,
    locations: locations.map(({ type, label }) => ({ type, label })),
    url: `${base_url}/p/${organization.slug}/${slug}`,
  };
}
