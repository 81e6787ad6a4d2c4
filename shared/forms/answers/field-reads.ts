import type { Field } from '../schema/schema.ts';
import { readsBoolean, readsChoice, readsChoices, readsMatrix, readsRanking } from './choices.ts';
import { readsFiles } from './files.ts';
import { readsAddress, readsEmail, readsPhone, readsText } from './lines.ts';
import { readsDay, readsMark, readsNumber } from './numbers.ts';
import { readsParts } from './parts.ts';
import type { Reads } from './reads.ts';

/** What reads the answers of a field; null for a field without answer. Throws where its pattern is none of RE2. */
export function readsOf(field: Field): Reads | null {
  switch (field.type) {
    case 'short_text':
    case 'long_text':
      return readsText(field);
    case 'email':
      return readsEmail();
    case 'phone':
      return readsPhone();
    case 'url':
      return readsAddress();
    case 'number':
      return readsNumber(field);
    case 'date':
    case 'time':
    case 'datetime':
      return readsDay(field);
    case 'choice':
    case 'dropdown':
      return readsChoice(field);
    case 'multi_choice':
      return readsChoices(field);
    case 'yes_no':
    case 'consent':
      return readsBoolean(field);
    case 'rating':
    case 'nps':
    case 'scale':
      return readsMark(field);
    case 'matrix':
      return readsMatrix(field);
    case 'ranking':
      return readsRanking(field);
    case 'name':
    case 'address':
      return readsParts(field);
    case 'file':
      return readsFiles(field);
    case 'statement':
      return null;
  }
}
