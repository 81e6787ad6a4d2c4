import type { Schema } from '../../../shared/forms/schema/schema.ts';
import { visited } from '../../../shared/forms/visits/visited.ts';
import type { Form, Visit } from '../../pages/kit/page.ts';

/** The hidden input with the pages that were counted for who fills in a form: nothing is kept of them elsewhere. */
const SEEN = 'seen';

/** The pages of a form that rode along as seen, and with them `more`. */
export function seenWith(form: Form, { pages }: Schema, more: readonly string[] = []): Set<string> {
  const seen = new Set([...form.get(SEEN).split(' '), ...more]);
  return new Set(pages.map(({ id }) => id).filter((id) => seen.has(id)));
}

/** What rides along of them. */
export function ridingSeen(seen: ReadonlySet<string>): Record<string, string> {
  return { [SEEN]: [...seen].join(' ') };
}

/** Counts the pages that somebody is at for the first time, and with the first of them that they have started. */
export function countSeen(
  { steps }: Visit,
  id: string,
  { before, now }: { before: ReadonlySet<string>; now: ReadonlySet<string> },
): void {
  const { tallies } = steps.context;
  const { organization_id } = steps.caller;
  const reached = [...now.difference(before)];
  visited(tallies, { organization_id, id }, { ...(before.size === 0 && { start: true }), reached });
}
