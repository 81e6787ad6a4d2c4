import type { Endpoint } from '../http/endpoint.ts';
import { responses } from './responses.ts';

/** The endpoints of forms, in the order of the reference. */
export const forms: readonly Endpoint[] = [...responses];
import { erasing } from './erasing.ts';
import { files } from './files.ts';
export const forms: readonly Endpoint[] = [...erasing, ...files];
