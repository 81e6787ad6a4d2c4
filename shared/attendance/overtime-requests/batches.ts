import { decisionBatch } from '../requests/actions.ts';
import { overtimeRequestType } from './type.ts';

/** What can be done to many overtime requests by one call. */
export const overtimeRequestBatch = decisionBatch(overtimeRequestType);
