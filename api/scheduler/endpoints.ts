import type { Endpoint } from '../http/endpoint.ts';
import { slots } from './slots.ts';

/** The endpoints of the scheduler, in the order of the reference. */
export const scheduler: readonly Endpoint[] = [...slots];
