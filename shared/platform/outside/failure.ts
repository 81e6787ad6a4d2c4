/**
 * Why a call to the outside came to nothing. `url`: the address is not one that is called. `address_refused`: it leads to an
 * address that is not public. `insecure`: it is not https. `too_large`: the answer is longer than the caller takes. `status` is never among them: an
 * answer of any status is an answer.
 */
export type OutsideReason =
  | 'url'
  | 'dns'
  | 'insecure'
  | 'address_refused'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'redirect'
  | 'too_large'
  | 'aborted';

/** A call that came to nothing. The message names no address, header or body: it may be logged. */
export class OutsideFailure extends Error {
  override name = 'OutsideFailure';
  readonly reason: OutsideReason;
  /** Whether the other side may have received the request: then another try may be a second one. */
  readonly may_have_arrived: boolean;

  constructor(reason: OutsideReason, { may_have_arrived }: { may_have_arrived: boolean }) {
    super(SENTENCES[reason]);
    this.reason = reason;
    this.may_have_arrived = may_have_arrived;
  }
}

const SENTENCES: Readonly<Record<OutsideReason, string>> = {
  url: 'The address is not one that may be called',
  dns: 'The name of the host is not known',
  insecure: 'The host is called by https alone',
  address_refused: 'The host has an address that is not public',
  connect: 'The host takes no connection',
  tls: 'The certificate of the host or its TLS is not right',
  timeout: 'The host did not answer in time',
  reset: 'The host ended the connection',
  redirect: 'The host sent the call elsewhere',
  too_large: 'The answer of the host is too long',
  aborted: 'The call was given up',
};
