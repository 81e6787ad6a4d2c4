import { html } from 'ghtml';
import { failureOf } from '../../../shared/db/constraint.ts';
import type { Failure } from '../../../shared/kernel/failure.ts';
import { statusOf } from '../../http/failure-status.ts';
import type { Go, View, Visit } from '../../pages/kit/page.ts';
import { words } from './words.ts';

/**
 * Shows a page; where it cannot be opened because its invitation has been used or has ended, says so. Ended, revoked and wrong ones read alike,
 * whatever the form.
 */
export async function tellingOfInvitations(
  visit: Pick<Visit, 'language' | 'query'>,
  show: () => Promise<View | Go>,
): Promise<View | Go> {
  try {
    return await show();
  } catch (error) {
    const failure = failureOf(error);
    const isOfInvitation =
      failure.code === 'already_answered' || (failure.code === 'not_found' && visit.query('i') !== '');
    if (!isOfInvitation) throw error;
    return told(visit, failure);
  }
}

function told({ language }: Pick<Visit, 'language'>, failure: Failure): View {
  const say = words[language].invitation;
  const { title, text } = failure.code === 'already_answered' ? say.used : say.ended;
  return {
    status: statusOf(failure),
    title,
    body: html`<h1>${title}</h1>
<p>${text}</p>`,
    is_indexed: false,
    policy: { 'form-action': "'none'" },
  };
}
