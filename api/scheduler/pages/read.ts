import type { Failure } from '../../../shared/kernel/failure.ts';
import type { Reader } from '../../../shared/kernel/reader.ts';
import { organizationById } from '../../../shared/platform/access/organizations/queries.ts';
import type { EventType } from '../../../shared/scheduler/event-types/record.ts';
import { bookableEventType, certainHosts } from '../../../shared/scheduler/public/queries.ts';
import { schedulerSettingsOf } from '../../../shared/scheduler/settings/queries.ts';
import type { SchedulerSettings } from '../../../shared/scheduler/settings/record.ts';
import type { TypeShown } from './about.ts';

/** Whose page it is, and how it looks. */
export type Site = { organization: { name: string; slug: string }; settings: SchedulerSettings };

/** The organization that the reader reads in, and its settings. */
export async function siteOf(reader: Reader): Promise<Site> {
  const organization = await organizationById(reader.connection, reader.organization_id);
  return { organization, settings: await schedulerSettingsOf(reader) };
}

/** The page of an event type that guests can book. */
export type TypePage = Site & { type: EventType; shown: TypeShown };

/** The event type with that slug, and whose it is. Errors: `not_found`, also for one that is not active. */
export async function typePageOf(reader: Reader, slug: string): Promise<TypePage> {
  const type = await bookableEventType(reader, slug);
  const site = await siteOf(reader);
  const needs_confirmation = type.confirmation.mode === 'manual';
  const hosts = await certainHosts(reader, type);
  return { ...site, type, shown: { ...type, needs_confirmation, hosts } };
}

/** Whether a booking was refused because of its start, so that the guest may choose another one. */
export function isAboutStart({ code, details }: Failure): boolean {
  return code === 'slot_taken' || (details.errors ?? []).some(({ path }) => path === '/start');
}
