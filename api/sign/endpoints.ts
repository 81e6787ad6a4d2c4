import type { Endpoint } from '../http/endpoint.ts';
import { documents } from './documents.ts';
import { documentEvents } from './events.ts';
import { documentLife } from './life.ts';
import { s } from './s.ts';
import { settings } from './settings.ts';
import { documentSigners } from './signers.ts';
import { verification } from './verification.ts';

/** The endpoints of sign, in the order of the reference. */
export const sign: readonly Endpoint[] = [
  ...documents,
  ...documentLife,
  ...documentSigners,
  documentEvents,
  ...s,
  ...verification,
  ...settings,
];
