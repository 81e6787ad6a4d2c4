import { recordAction } from '../../platform/batches/action.ts';
import { convertDeliveryNotes } from '../convert/operations.ts';
import { DeliveryNoteConversion } from '../convert/record.ts';
import { deliver } from '../transitions/send.ts';

/** What is done to delivery notes alone. */
export const deliveryNoteActions = {
  deliver: recordAction({ scope: 'invoicing:write', act: deliver }),
  convert: recordAction({
    scope: 'invoicing:write',
    status: 201,
    body: DeliveryNoteConversion,
    act: convertDeliveryNotes,
  }),
};
