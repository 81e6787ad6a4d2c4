import { googleProvider } from './google/provider.ts';
import type { CalendarProvider } from './provider.ts';
import type { ProviderName } from './record.ts';

const providers: Readonly<Partial<Record<ProviderName, CalendarProvider>>> = { google: googleProvider };

/** What speaks to the calendars of a kind. Throws for a kind that this release does not know. */
export function providerOf(name: ProviderName): CalendarProvider {
  const provider = providers[name];
  if (!provider) throw new Error(`This release knows no calendars of ${name}`);
  return provider;
}
