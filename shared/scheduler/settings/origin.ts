/** What a host is named by. Others that addresses allow, as a semicolon, would end the directive of the policy they stand in. */
const HOST = /^([a-z0-9._*-]+|\[[0-9a-f:.]+\])$/;

/**
 * The origin of a site as browsers compare it: scheme, host and port alone, in lower case; null for what is no http or
 * https address or says more, such as a path.
 */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, origin, href } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && HOST.test(hostname) && href === `${origin}/` ? origin : null;
}
