import type { FormSettings } from '../settings/record.ts';
import type { Accepting, Form, FormCounts, GuestAccepting } from './record.ts';
import type { StoredForm } from './rows.ts';

/**
 * Whether a form takes responses at an instant, and why not: archived ones are closed; `opens_at` is inclusive, `closes_at`
 * exclusive; it is full with as many responses, spam aside, as `max_responses`.
 */
export function acceptingOf(
  { status }: Pick<Form, 'status'>,
  { opens_at, closes_at, max_responses }: Pick<FormSettings, 'opens_at' | 'closes_at' | 'max_responses'>,
  { response_count }: Pick<FormCounts, 'response_count'>,
  now: Date,
): Accepting {
  if (status === 'draft') return { open: false, reason: 'draft' };
  if (status === 'archived') return { open: false, reason: 'closed' };
  if (closes_at !== null && now.getTime() >= Date.parse(closes_at)) return { open: false, reason: 'closed' };
  if (opens_at !== null && now.getTime() < Date.parse(opens_at)) return { open: false, reason: 'not_open' };
  if (max_responses !== null && response_count >= max_responses) return { open: false, reason: 'full' };
  return { open: true, reason: null };
}

/** The same for a guest with an invitation, or without. */
export function acceptingOfGuest(
  { form, settings, counts }: StoredForm,
  now: Date,
  { is_invited }: { is_invited: boolean },
): GuestAccepting {
  const accepting = acceptingOf(form, settings, counts, now);
  const isMissing = accepting.open && settings.access === 'invited' && !is_invited;
  return isMissing ? { open: false, reason: 'not_invited' } : accepting;
}
