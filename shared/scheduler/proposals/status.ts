import type { ProposalRow } from './record.ts';
import type { ProposalStatus } from './transitions.ts';

/** The status of a proposal at a time: an open one has expired when its time is over, whether or not a sweep has seen it. */
export function statusAt(
  { status, expires_at }: Pick<ProposalRow, 'status' | 'expires_at'>,
  now: Date,
): ProposalStatus {
  return status === 'open' && expires_at <= now.toISOString() ? 'expired' : status;
}
