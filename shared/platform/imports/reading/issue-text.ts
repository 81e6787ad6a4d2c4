import type { z } from 'zod';
import { predicates } from '../../../kernel/field-error-words.ts';
import { type Text, textOfMessage } from '../../../kernel/language.ts';

/** What a schema's rule expects of a cell; undefined where the code says all that is to be said. */
export function issueText(issue: z.core.$ZodIssue): Text | undefined {
  if (issue.code === 'invalid_key') return issueText(issue.issues[0]!);
  const predicate = textOfMessage(issue.message ?? '') ?? predicateOf(issue);
  return predicate && ofCell(predicate);
}

/** A predicate with its subject: `must be a day` is what the cell must be. */
export function ofCell({ en, ja }: Text): Text {
  return { en: `The cell ${en}`, ja: `この項目${ja}` };
}

function predicateOf(issue: z.core.$ZodIssue): Text | undefined {
  if (issue.code === 'invalid_value') return predicates.oneOf(issue.values);
  if (issue.code === 'too_small' && issue.origin !== 'array')
    return issue.origin === 'string'
      ? predicates.tooShort(issue.minimum)
      : predicates.tooSmall(issue.minimum);
  if (issue.code === 'too_big' && issue.origin !== 'array')
    return issue.origin === 'string' ? predicates.tooLong(issue.maximum) : predicates.tooLarge(issue.maximum);
  return undefined;
}
