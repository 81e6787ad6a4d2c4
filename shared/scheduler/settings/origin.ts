import { isOrigin } from '../../kernel/origin.ts';

/**
 * The origin of a site as browsers compare it: scheme, host and port alone, in lower case; null for what is no http or
 * https address of one site or says more, such as a path.
 */
export function originOf(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && isOrigin(url.origin) && url.href === `${url.origin}/` ? url.origin : null;
}
