import type { Endpoint } from '../http/endpoint.ts';
import { erasing } from './erasing.ts';
import { files } from './files.ts';
import { responses } from './responses.ts';
import { validate } from './validate.ts';

/** The endpoints of forms, in the order of the reference. */
export const forms: readonly Endpoint[] = [...responses, ...erasing, ...files, ...validate];
