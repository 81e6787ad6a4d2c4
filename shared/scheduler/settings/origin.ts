/**
 * The origin of a site as browsers compare it: scheme, host and port alone, in lower case; null for what is no http or
 * https address or says more, such as a path.
 */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, origin, href } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && href === `${origin}/` ? origin : null;
}
