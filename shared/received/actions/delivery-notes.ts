import { recordAction } from '../../platform/batches/action.ts';
import { confirmDeliveryNote } from '../transitions/decide.ts';
import { Confirmation } from './bodies.ts';

/** What is done to received delivery notes alone. */
export const receivedDeliveryNoteActions = {
  confirm: recordAction({
    scope: 'received:write',
    body: Confirmation,
    act: (work, id, { lines = [] }) => confirmDeliveryNote(work, id, lines),
  }),
};
