import type { Link } from '../../shared/platform/links/links.ts';
import type { ApiContext } from '../context.ts';
import { addressBucket } from './address.ts';
import type { Credential } from './credential.ts';
import { type Charge, limitHeaders } from './limits.ts';
import type { Request } from './request.ts';

/** How many times the limit of a credential all sessions and keys of one person have together. */
const PERSON_SHARE = 2;

/** How many times the limit of a credential an organization has, whoever calls for it. */
const ORGANIZATION_SHARE = 4;

/**
 * Counts a request against its credential, the person behind it and the organization that it acts in, or against the
 * address of a visitor. Errors: `rate_limited` where one of these has nothing left; then none is counted.
 */
export function limitRate(context: ApiContext, request: Request, credential: Credential | null): void {
  const perMinute = context.settings.rateLimitPerMinute;
  if (perMinute === 0) return;
  const charges = credential
    ? chargesOf(credential, perMinute)
    : [strangerCharge(request, 'public', addressBucket(request.ip), perMinute)];
  request.set(limitHeaders(context.limits.takeAll(charges, context.now())));
}

function chargesOf({ id, user_id, organization_id }: Credential, per_minute: number): Charge[] {
  const charges = [
    charge('credential', id, per_minute),
    charge('person', user_id, per_minute * PERSON_SHARE),
  ];
  if (organization_id !== null) {
    charges.push(charge('organization', organization_id, per_minute * ORGANIZATION_SHARE));
  }
  return charges;
}

/**
 * Counts a request against the link that it came with, whatever its address: who shares an address with others is not
 * held up by them, and who has the link gets no more by having several addresses. Errors: `rate_limited`.
 */
export function limitLink(context: ApiContext, request: Request, { token_hash }: Link): void {
  const perMinute = context.settings.rateLimitPerMinute;
  if (perMinute === 0) return;
  const charges = [strangerCharge(request, 'link', token_hash, perMinute)];
  request.set(limitHeaders(context.limits.takeAll(charges, context.now())));
}

/** Who has no credential has half as many reads as a credential has requests, and a tenth as many writes. */
function strangerCharge({ method }: Request, kind: string, bucket: string, per_minute: number): Charge {
  const isRead = method === 'GET' || method === 'HEAD';
  const limit = Math.max(1, Math.floor(per_minute / (isRead ? 2 : 10)));
  return charge(`${kind}_${isRead ? 'read' : 'write'}`, bucket, limit);
}

function charge(name: string, bucket: string, limit: number): Charge {
  return { bucket, quota: { name, limit, window_seconds: 60 } };
}
