import type { Submitted } from '../responses/submitted.ts';

/**
 * What the timeline of a contact tells of a response, with the title that the form had as it was shown. It names the response and
 * tells no answer: that may be erased.
 */
export function noteOf({ version, response }: Pick<Submitted, 'version' | 'response'>): string {
  return response.locale === 'ja'
    ? `フォーム「${version.title}」に回答がありました（${response.id}）`
    : `Answered the form "${version.title}" (${response.id})`;
}
