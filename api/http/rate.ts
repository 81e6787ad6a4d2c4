import type { ApiContext } from '../context.ts';
import { addressBucket } from './address.ts';
import type { Credential } from './authenticate.ts';
import { limitHeaders } from './limits.ts';
import type { Request } from './state.ts';

/**
 * Counts a request against its credential, or against the address of a visitor, who has half as many reads and a
 * tenth as many writes. Errors: `rate_limited`.
 */
export function limitRate(context: ApiContext, request: Request, credential: Credential | null): void {
  const perMinute = context.settings.rateLimitPerMinute;
  if (perMinute === 0) return;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const share = credential ? 1 : isRead ? 2 : 10;
  const name = credential ? 'credential' : isRead ? 'public_read' : 'public_write';
  const quota = { name, limit: Math.max(1, Math.floor(perMinute / share)), window_seconds: 60 };
  const bucket = credential?.id ?? addressBucket(request.ip);
  request.set(limitHeaders(context.limits.take(bucket, quota, context.now())));
}
