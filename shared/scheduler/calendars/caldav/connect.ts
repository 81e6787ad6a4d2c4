import { hash } from 'node:crypto';
import { Failure, invalid } from '../../../kernel/failure.ts';
import type { Work } from '../../../kernel/work.ts';
import type { OutsideServices } from '../../../platform/outside/open.ts';
import type { CalendarAccount } from '../addresses.ts';
import { checkAddress } from '../by-address.ts';
import { keepConnection } from '../connect.ts';
import { CalendarFailure } from '../provider.ts';
import type { CalendarConnection, ListedCalendar } from '../record.ts';
import { davClient } from './dav.ts';
import { discoverCalendars } from './discover.ts';
import { caldavProvider } from './provider.ts';

/**
 * Signs in on a server and lists the calendars of an account, before anything is kept. Errors: `forbidden_address`,
 * `validation_failed` for a wrong name or password, `provider_error` for what does not answer as such a server.
 */
export async function tryAccount(
  services: OutsideServices,
  account: CalendarAccount,
): Promise<ListedCalendar[]> {
  await checkAddress(services, account.url);
  try {
    return await discoverCalendars(davClient(services, account), account.url);
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    if (error.reason !== 'reauth_required') throw new Failure('provider_error', { cause: error });
    throw invalid('/password', 'invalid_value', {
      en: 'username and password must be those of an account on this server',
      ja: 'username と password にはこのサーバーのアカウントのものを指定してください',
    });
  }
}

/** Connects the calendars of an account of the acting member. Again: renews the connection. The password is kept encrypted. */
export function connectAccount(
  work: Work,
  services: OutsideServices,
  account: CalendarAccount,
  calendars: readonly ListedCalendar[],
): Promise<CalendarConnection> {
  const { host, href } = new URL(account.url);
  const { username } = account;
  return keepConnection(work, services.secret_keys, {
    user_id: work.actor.user_id!,
    provider: caldavProvider,
    account: username.includes('@') ? username : `${username}@${host}`,
    account_key: hash('sha256', JSON.stringify([href, username]), 'hex'),
    calendars,
    secret: JSON.stringify(account),
  });
}
