import { ACCESS_HOURS } from '../../shared/sign/guests/access.ts';

/** Browsers take one with the prefix from https alone. */
function cookieName(base_url: string): string {
  return base_url.startsWith('https:') ? '__Secure-service.sign' : 'service.sign';
}

/** The token of an access as a browser sends it with a `Cookie` header; null without one. */
export function accessTokenOf(cookies: string | null, base_url: string): string | null {
  const begin = `${cookieName(base_url)}=`;
  const found = (cookies ?? '').split(';').find((cookie) => cookie.trim().startsWith(begin));
  return found?.trim().slice(begin.length) ?? null;
}

/**
 * The Set-Cookie headers of an access: one for the page of the link, one for its calls. Each is sent below the path of that link
 * alone, never by the page of another site, and read by no script.
 */
export function accessCookies(link_token: string, access_token: string, base_url: string): string[] {
  return [`/sign/${link_token}`, `/api/v1/sign/s/${link_token}`].map((path) =>
    [
      `${cookieName(base_url)}=${access_token}`,
      `Max-Age=${ACCESS_HOURS * 60 * 60}`,
      `Path=${path}`,
      'HttpOnly',
      ...(base_url.startsWith('https:') ? ['Secure'] : []),
      'SameSite=Lax',
    ].join('; '),
  );
}
