import { DAY } from '../../kernel/days.ts';
import { invalid } from '../../kernel/failure.ts';

/** Days for which a proposal is open unless said, and at most. */
const USUAL = 7;
const MOST = 60;

/**
 * When a proposal ends: what is sent, or in 7 days, but not after the last candidate. Errors: `validation_failed` at
 * /expires_at for one that is past, more than 60 days ahead, or after the last candidate.
 */
export function expiryOf(
  sent: string | undefined,
  candidates: readonly { start: string }[],
  now: Date,
): string {
  const last = candidates
    .map(({ start }) => start)
    .toSorted()
    .at(-1)!;
  const after = (days: number) => new Date(now.getTime() + days * DAY).toISOString();
  if (sent === undefined) return after(USUAL) < last ? after(USUAL) : last;
  if (sent <= now.toISOString()) {
    throw invalid('/expires_at', 'in_the_past', {
      en: 'expires_at must be later than now',
      ja: 'expires_at には現在より後の日時を指定してください',
    });
  }
  if (sent > after(MOST)) {
    throw invalid('/expires_at', 'too_large', {
      en: `expires_at can be ${MOST} days from now at most`,
      ja: `expires_at は現在から${MOST}日以内で指定してください`,
    });
  }
  if (sent > last) {
    throw invalid('/expires_at', 'too_large', {
      en: 'expires_at must not be after the start of the last candidate',
      ja: 'expires_at は最後の候補の開始日時以前で指定してください',
    });
  }
  return sent;
}
