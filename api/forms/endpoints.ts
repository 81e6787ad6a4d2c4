import type { Endpoint } from '../http/endpoint.ts';
import { erasing } from './erasing.ts';
import { files } from './files.ts';
import { p } from './p.ts';
import { r } from './r.ts';
import { responses } from './responses.ts';
import { submit } from './submit.ts';

/** The endpoints of forms, in the order of the reference. */
export const forms: readonly Endpoint[] = [...responses, ...submit, ...erasing, ...files, ...p, ...r];
