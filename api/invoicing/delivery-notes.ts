import { deliveryNoteActions } from './delivery-note-actions.ts';
import { documentEndpoints } from './documents.ts';

const { documents, others } = documentEndpoints('delivery_note');

export const deliveryNotes = [documents, ...others, ...deliveryNoteActions];
