import { deliveryNoteCalls } from './delivery-note-calls.ts';
import { documentEndpoints } from './documents.ts';

const { documents, others } = documentEndpoints('delivery_note');

export const deliveryNotes = [documents, ...others, ...deliveryNoteCalls];
