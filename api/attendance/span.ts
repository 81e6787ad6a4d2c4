import { invalidAll } from '../../shared/kernel/failure.ts';

/** Days that one call may look at. */
const MOST_DAYS = 366;

/** Sees that a list is not asked for backwards, nor for more than a year. Errors: `validation_failed` at its parameter. */
export function requireSpan({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  if (from === undefined || to === undefined) return;
  const days = Temporal.PlainDate.from(from).until(to).days + 1;
  if (days < 1) {
    const message = { en: 'from must not be after to', ja: 'from は to 以前の日付で指定してください' };
    throw invalidAll([{ in: 'query', path: 'from', code: 'after_end', message }]);
  }
  if (days > MOST_DAYS) {
    const message = {
      en: `to must be at most ${MOST_DAYS} days from from on`,
      ja: `to は from から${MOST_DAYS}日以内で指定してください`,
    };
    throw invalidAll([{ in: 'query', path: 'to', code: 'too_long', message }]);
  }
}
