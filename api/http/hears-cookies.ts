/**
 * Whether the session cookie of a request counts where no key is asked for: not beside a key. HTTP Basic is no key: a browser that
 * has opened /ops sends its password along with every path of the origin from then on (RFC 7617, section 2.2), by itself.
 */
export function hearsCookies(authorization: string | undefined): boolean {
  return authorization === undefined || /^Basic /i.test(authorization);
}
