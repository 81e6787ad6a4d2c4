import { hash } from 'node:crypto';
import type { Work } from '../../../kernel/work.ts';
import type { OutsideServices } from '../../../platform/outside/open.ts';
import { keepConnection } from '../connect.ts';
import type { CalendarConnection } from '../record.ts';
import { feedAt, icsProvider } from './provider.ts';

/**
 * Connects a feed of the acting member; the first sync says whether it can be read. Its address is kept encrypted, since who
 * knows it reads the calendar. The same address again renews its connection.
 */
export function connectFeed(work: Work, services: OutsideServices, url: string): Promise<CalendarConnection> {
  return keepConnection(work, services.secret_keys, {
    user_id: work.actor.user_id!,
    provider: icsProvider,
    account: new URL(url).host,
    account_key: hash('sha256', url, 'hex'),
    calendars: [feedAt(url)],
    secret: url,
  });
}
