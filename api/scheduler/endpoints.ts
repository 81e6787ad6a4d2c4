import type { Endpoint } from '../http/endpoint.ts';

/** The endpoints of the scheduler, in the order of the reference. */
export const scheduler: readonly Endpoint[] = [];
