import type { Work } from '../../../kernel/work.ts';
import type { OutsideServices } from '../../../platform/outside/open.ts';
import { providerOf } from '../providers.ts';
import { watchCalendarsJob } from '../sync/jobs.ts';
import type { Running } from '../sync/run.ts';

/** A provider reaches this service by https; the one of GOOGLE_URL as it is. */
export function canBeTold({ base_url, google }: Pick<OutsideServices, 'base_url' | 'google'>): boolean {
  return base_url.startsWith('https:') || (google !== null && google.url !== null);
}

/** Asks for a calendar to be watched that nobody tells us of, once it has been read. */
export async function requestWatch(
  work: Work,
  { id, provider }: Running,
  calendar_id: string,
  services: OutsideServices,
): Promise<void> {
  if (!providerOf(provider).tells || !canBeTold(services)) return;
  const [watched] = await work.connection.query(
    `SELECT FROM scheduler_channels WHERE organization_id = $1 AND connection_id = $2 AND calendar_id = $3
        AND expires_at > $4 LIMIT 1`,
    [work.organization_id, id, calendar_id, work.now.toISOString()],
  );
  if (!watched) work.enqueue(watchCalendarsJob, { connection_id: id });
}
