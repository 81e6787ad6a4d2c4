import { caldavProvider } from './caldav/provider.ts';
import { googleProvider } from './google/provider.ts';
import { icsProvider } from './ics/provider.ts';
import type { CalendarProvider } from './provider.ts';
import type { ProviderName } from './record.ts';

const providers: Readonly<Record<ProviderName, CalendarProvider>> = {
  google: googleProvider,
  caldav: caldavProvider,
  ics: icsProvider,
};

/** What speaks to the calendars of a kind. */
export function providerOf(name: ProviderName): CalendarProvider {
  return providers[name];
}
