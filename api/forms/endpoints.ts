import type { Endpoint } from '../http/endpoint.ts';
import { responseFile } from './response-export.ts';
import { responses } from './responses.ts';
import { summary } from './summary.ts';

/** The endpoints of forms, in the order of the reference. */
export const forms: readonly Endpoint[] = [...responses, responseFile, summary];
