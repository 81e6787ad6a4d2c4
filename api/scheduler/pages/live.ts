import type { Reader } from '../../../shared/kernel/reader.ts';
import { type LiveWanted, liveBusyAt } from '../../../shared/scheduler/bookings/live.ts';
import type { LiveBusy } from '../../../shared/scheduler/calendars/live/ask.ts';
import type { Steps } from '../../http/steps.ts';

/** What the calendars of hosts say about the start that a form asks for: asked between the steps of a page, as by the API. */
export function liveForForm(
  { context: { database, outside }, caller }: Steps,
  organization_id: string,
  find: (reader: Reader) => Promise<LiveWanted>,
): Promise<LiveBusy> {
  return liveBusyAt({ database, services: outside, clock: () => caller.now }, organization_id, find);
}
