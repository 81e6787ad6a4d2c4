import { decisionBatch } from '../requests/actions.ts';
import { correctionType } from './type.ts';

/** What can be done to many corrections by one call. */
export const correctionBatch = decisionBatch(correctionType);
