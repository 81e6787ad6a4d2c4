import type { Endpoint } from '../http/endpoint.ts';
import { p } from './p.ts';
import { r } from './r.ts';
import { submit } from './submit.ts';

/** The endpoints of forms, in the order of the reference. */
export const forms: readonly Endpoint[] = [...submit, ...p, ...r];
