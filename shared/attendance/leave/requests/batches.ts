import { decisionBatch } from '../../requests/actions.ts';
import { leaveRequestType } from './type.ts';

/** What can be done to many leave requests by one call. */
export const leaveRequestBatch = decisionBatch(leaveRequestType);
