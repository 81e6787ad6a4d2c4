import type { ApiContext } from '../context.ts';

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The headers that every answer has, whatever it is about. */
export function securityHeaders({ settings }: ApiContext): Record<string, string> {
  // Over plain HTTP browsers ignore the header (RFC 6797, 7.2).
  if (settings.hsts === 'off' || !settings.baseUrl.startsWith('https:')) return SECURITY_HEADERS;
  return { ...SECURITY_HEADERS, 'Strict-Transport-Security': settings.hsts };
}
