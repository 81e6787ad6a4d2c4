import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { icons } from '../../pages/kit/icons.ts';
import type { SigningShown } from './shown.ts';
import { type Say, words } from './words.ts';

/** How a document stands for who opens its page; `open` while something is left to do. */
export type State = 'open' | keyof Say['states'];

/** Statuses of a signer who has not ended. */
const STILL_OPEN = new Set(['notified', 'viewed']);

/**
 * The state of a document for one signer at a time. One whose time is over has expired, also before the sweep says so.
 */
export function stateOf(signing: SigningShown, now: Date): State {
  const { status, signer, cancel_reason, expires_at } = signing;
  if (status === 'signed') return 'sealed';
  if (status === 'cancelled') {
    if (cancel_reason === 'declined') return signer.status === 'declined' ? 'declined' : 'declined_by_other';
    return cancel_reason === 'expired' ? 'expired' : 'cancelled';
  }
  if (signer.status === 'signed') return signer.role === 'approver' ? 'approved' : 'signed';
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) return 'expired';
  if (!STILL_OPEN.has(signer.status)) return 'waiting';
  return signer.role === 'cc' ? 'copy' : 'open';
}

const MARKS = {
  waiting: icons.waiting,
  locked: icons.ended,
  signed: icons.done,
  approved: icons.done,
  sealed: icons.done,
  declined: icons.ended,
  declined_by_other: icons.ended,
  cancelled: icons.ended,
  expired: icons.ended,
  copy: icons.waiting,
} as const;

/** What became of the document, in a sentence; nothing while it is open. */
export function stateLine(language: Language, state: State): string {
  if (state === 'open') return '';
  const { title, text } = words[language].states[state];
  const isBad = MARKS[state] === icons.ended;
  return html`<div class="status!${isBad ? ' ended' : ''}" role="status">!${MARKS[state]}<div><h2>${title}</h2>
<p>${text}</p></div></div>`;
}
