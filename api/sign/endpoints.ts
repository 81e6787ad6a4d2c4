import type { Endpoint } from '../http/endpoint.ts';
import { documents } from './documents.ts';
import { settings } from './settings.ts';

/** The endpoints of sign, in the order of the reference. */
export const sign: readonly Endpoint[] = [...documents, ...settings];
