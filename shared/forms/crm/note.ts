import type { Submitted } from '../responses/submitted.ts';

/** What the timeline of a contact tells of a response. It names the response and tells no answer: that may be erased. */
export function noteOf({ form, response }: Pick<Submitted, 'form' | 'response'>): string {
  return response.locale === 'ja'
    ? `フォーム「${form.title}」に回答がありました（${response.id}）`
    : `Answered the form "${form.title}" (${response.id})`;
}
