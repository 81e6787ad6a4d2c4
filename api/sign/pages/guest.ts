import { randomBytes } from 'node:crypto';
import type { Work } from '../../../shared/kernel/work.ts';
import { tokenFrom } from '../../../shared/platform/links/token.ts';
import { ACCESS_HOURS, type AccessSteps } from '../../../shared/sign/guests/access.ts';
import type { Guest } from '../../../shared/sign/guests/seen.ts';
import { inTurnOfAddress } from '../../auth/password-turns.ts';
import { addressBucket } from '../../http/address.ts';
import type { LinkedVisit } from '../../pages/kit/page.ts';

/** Browsers take one with the prefix from https alone. `__Host-` would open every path to it. */
function cookieName(base_url: string): string {
  return base_url.startsWith('https:') ? '__Secure-service.sign' : 'service.sign';
}

/** The guest who is at the page: by the link, and by the cookie of the access that the link was opened with. */
export function guestAt({ opened, steps, client }: LinkedVisit): Guest {
  const begin = `${cookieName(steps.context.settings.baseUrl)}=`;
  const cookies = (steps.headers.get('Cookie') ?? '').split(';').map((each) => each.trim());
  const found = cookies.find((each) => each.startsWith(begin))?.slice(begin.length);
  return {
    signer_id: opened.record_id,
    link_hash: opened.token_hash,
    access_token: found ?? null,
    user_agent: client.user_agent,
  };
}

/** The cookies of an access: one for the page and one for the API of the same link, and for no other path. */
export function accessCookies({ steps, param }: LinkedVisit, access_token: string): string[] {
  const { baseUrl } = steps.context.settings;
  return [`/sign/${param}`, `/api/v1/sign/s/${param}`].map((path) =>
    [
      `${cookieName(baseUrl)}=${access_token}`,
      `Max-Age=${ACCESS_HOURS * 60 * 60}`,
      `Path=${path}`,
      'HttpOnly',
      ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
      'SameSite=Lax',
    ].join('; '),
  );
}

/** One transaction of the guest; it may end without a fact. */
export function writeAsGuest<T>({ opened, steps }: LinkedVisit, run: (work: Work) => Promise<T>): Promise<T> {
  const { organization_id } = opened;
  return steps.write({ organization_id, may_change_nothing: true }, run);
}

/** What opening a document works with. */
export function accessSteps(visit: LinkedVisit): AccessSteps {
  const { steps } = visit;
  return {
    read: steps.read,
    write: (run) => writeAsGuest(visit, run),
    inTurn: (run) => inTurnOfAddress(addressBucket(steps.caller.ip_address ?? ''), run),
    newToken: () => tokenFrom(randomBytes(32)),
  };
}
