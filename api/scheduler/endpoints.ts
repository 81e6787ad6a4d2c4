import type { Endpoint } from '../http/endpoint.ts';
import { dashboard } from './dashboard.ts';
import { pr } from './pr.ts';
import { proposals } from './proposals.ts';

/** The endpoints of the scheduler, in the order of the reference. */
export const scheduler: readonly Endpoint[] = [...proposals, ...pr, ...dashboard];
