import { addressBucket } from '../../shared/kernel/networks.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import type { ApiContext } from '../context.ts';
import type { Credential } from './credential.ts';
import { type Charge, limitHeaders } from './limits.ts';
import type { Request } from './request.ts';

/** How many times the limit of a credential all sessions and keys of one person have together. */
const PERSON_SHARE = 2;

/** How many times the limit of a credential an organization has, whoever calls for it. */
const ORGANIZATION_SHARE = 4;

/**
 * Counts a request against its credential, the person behind it and the organization that it acts in, or else against
 * the link of a guest or the address of a visitor. Errors: `rate_limited` where one of these has nothing left; then none is counted.
 */
export function limitRate(context: ApiContext, request: Request, credential: Credential | null): void {
  const perMinute = context.settings.rateLimitPerMinute;
  if (perMinute === 0) return;
  const charges = credential ? chargesOf(credential, perMinute) : [strangerCharge(request, perMinute)];
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
 * Who has no credential has half as many reads as a credential has requests, and a tenth as many writes. A guest's are
 * counted by the link and by no address, unless its purpose says otherwise: who shares an address with others is not held
 * up by them, and who has a link gets no more by having several addresses.
 */
function strangerCharge({ method, ip, state }: Request, per_minute: number): Charge {
  const is_read = isRead(method);
  return state.link
    ? linkCharge(state.link, { is_read, ip_address: ip }, per_minute)
    : charge(`public_${is_read ? 'read' : 'write'}`, addressBucket(ip), strangerLimit(is_read, per_minute));
}

/** The charge of one request with a link. `per_minute` is the limit of a credential. */
export function linkCharge(
  { purpose: { name, requests_of_address, is_program }, token_hash }: Pick<Link, 'purpose' | 'token_hash'>,
  { is_read, ip_address }: { is_read: boolean; ip_address: string },
  per_minute: number,
): Charge {
  if (is_program) return charge(name, token_hash, per_minute);
  return requests_of_address === undefined
    ? charge(`link_${is_read ? 'read' : 'write'}`, token_hash, strangerLimit(is_read, per_minute))
    : charge(name, addressBucket(ip_address), requests_of_address);
}

/** Whether a request of that method counts as a read. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function strangerLimit(is_read: boolean, per_minute: number): number {
  return Math.max(1, Math.floor(per_minute / (is_read ? 2 : 10)));
}

function charge(name: string, bucket: string, limit: number): Charge {
  return { bucket, quota: { name, limit, window_seconds: 60 } };
}
