import type { Endpoint } from '../http/endpoint.ts';
<<<<<<< HEAD
import { dashboard } from './dashboard.ts';
import { pr } from './pr.ts';
import { proposals } from './proposals.ts';

/** The endpoints of the scheduler, in the order of the reference. */
export const scheduler: readonly Endpoint[] = [...proposals, ...pr, ...dashboard];
=======
import { slots } from './slots.ts';

/** The endpoints of the scheduler, in the order of the reference. */
export const scheduler: readonly Endpoint[] = [...slots];
>>>>>>> main
