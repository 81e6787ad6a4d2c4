import { Failure } from '../../kernel/failure.ts';
import { acceptingOf } from '../forms/accepting.ts';
import type { StoredForm } from '../forms/rows.ts';

const REFUSALS = {
  draft: 'form_draft',
  not_open: 'form_not_open',
  closed: 'form_closed',
  full: 'form_full',
} as const;

/** Refuses what a form does not take now. Errors: `form_draft`, `form_not_open`, `form_closed`, `form_full`. */
export function requireAccepting({ form, settings, counts }: StoredForm, now: Date): void {
  const { reason } = acceptingOf(form, settings, counts, now);
  if (reason !== null) throw new Failure(REFUSALS[reason]);
}
