import type { Work } from '../../kernel/work.ts';
import { HAS_SUPPRESSIONS, SUPPRESSED, SUPPRESSED_OF } from './statements.ts';

/** Whether any address must not be mailed. Asked once more after the rows: one that was waited for may have been erased. */
export async function hasSuppressions(work: Work): Promise<boolean> {
  const [row] = await work.connection.query<{ has_some: boolean }>(HAS_SUPPRESSIONS, [work.organization_id]);
  return row!.has_some;
}

/** The staged addresses that must not be mailed. */
export async function suppressedKeys(work: Work): Promise<Set<string>> {
  const rows = await work.connection.query<{ email_key: string }>(SUPPRESSED, [work.organization_id]);
  return new Set(rows.map(({ email_key }) => email_key));
}

/** Those of addresses that must not be mailed. */
export async function suppressedAmong(work: Work, email_keys: readonly string[]): Promise<Set<string>> {
  const values = [work.organization_id, email_keys];
  const rows = await work.connection.query<{ email_key: string }>(SUPPRESSED_OF, values);
  return new Set(rows.map(({ email_key }) => email_key));
}
