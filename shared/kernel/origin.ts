/** What a host is named by. Others that addresses allow, as a semicolon, would end the directive of the policy they stand in. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

/**
 * Whether a text is the origin of one site, as browsers compare it: http or https, host and port alone, in lower case and without
 * the port of the scheme. Such a text can stand in a header of a policy as it is, where it names that site and no other.
 */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && HOST.test(url.hostname) && url.origin === text;
}
