import type { Endpoint } from '../http/endpoint.ts';

/** The endpoints of sign, in the order of the reference. */
export const sign: readonly Endpoint[] = [];
