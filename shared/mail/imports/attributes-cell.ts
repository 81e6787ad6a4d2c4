import type { Parsed } from '../../platform/imports/reading/field.ts';
import { issueCode } from '../../platform/imports/reading/issue-code.ts';
import { MailAttributesInput } from '../contacts/record.ts';

/** Whether the cell begins as a JSON object of texts does: the sample may have cut it. */
export function isLikeAttributes(cell: string): boolean {
  return /^\{\s*["}]/.test(cell);
}

/**
 * Attributes in one cell, as `{"会社名": "山田商店"}`, by the schema of the API. Faults: `invalid_json`, `invalid_object`
 * (not an object, or a value that is not a text, null too), `too_many`, and those of a name or a text.
 */
export function parseAttributes(cell: string): Parsed {
  const value = jsonOf(cell);
  if (value === undefined) return { fault: 'invalid_json' };
  const result = MailAttributesInput.safeParse(value);
  if (result.success) return { value: result.data };
  const code = issueCode(result.error.issues[0]!);
  return { fault: code === 'invalid_type' ? 'invalid_object' : code };
}

/** JSON has no undefined: that is what is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
