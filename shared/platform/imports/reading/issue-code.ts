import type { z } from 'zod';

/** The code that the API gives a fault of a schema, as api/http names it; of a faulty key the fault of the key. */
export function issueCode(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') {
    return (issue.params as { code?: string } | undefined)?.code ?? 'invalid_value';
  }
  if (issue.code === 'invalid_key') return issueCode(issue.issues[0]!);
  if (issue.code === 'too_small') return issue.origin === 'string' ? 'too_short' : 'too_small';
  if (issue.code === 'too_big') return issue.origin === 'string' ? 'too_long' : 'too_large';
  if (issue.code === 'invalid_format' || issue.code === 'invalid_type') return issue.code;
  return 'invalid_value';
}
