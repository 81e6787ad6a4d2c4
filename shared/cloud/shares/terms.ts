import { DAY } from '../../kernel/days.ts';
import { invalid } from '../../kernel/failure.ts';
import type { CloudSettings } from '../settings/record.ts';
import type { ShareRow } from './queries.ts';
import type { ShareTerms } from './record.ts';

/** What bounds a share beside what it shows. */
export type Terms = Pick<ShareRow, 'password_hash' | 'starts_at' | 'expires_at' | 'max_downloads'>;

type Bounds = Pick<CloudSettings, 'share_password_required' | 'share_max_days'>;

/** The terms of a share that was made without any. */
export const NO_TERMS: Terms = {
  password_hash: null,
  starts_at: null,
  expires_at: null,
  max_downloads: null,
};

/**
 * The terms after a change: those that are sent, and those before in the place of the others. What is not sent is not
 * judged, so settings that become stricter leave the shares that are there. Errors: `validation_failed`.
 */
export function termsAfter(sent: ShareTerms, before: Terms, bounds: Bounds, now: Date): Terms {
  const { password_hash, starts_at, expires_at, max_downloads } = sent;
  if (password_hash === null && bounds.share_password_required) {
    throw invalid('/password', 'required', {
      en: 'password is required by the settings of the organization',
      ja: '組織の設定により password は必須です',
    });
  }
  const terms: Terms = {
    password_hash: password_hash === undefined ? before.password_hash : password_hash,
    starts_at: starts_at === undefined ? before.starts_at : starts_at,
    expires_at: expires_at === undefined ? before.expires_at : expiry(expires_at, bounds, now),
    max_downloads: max_downloads === undefined ? before.max_downloads : max_downloads,
  };
  if (terms.starts_at !== null && terms.expires_at !== null && terms.expires_at <= terms.starts_at) {
    throw invalid(expires_at ? '/expires_at' : '/starts_at', 'invalid_value', {
      en: 'expires_at must be later than starts_at',
      ja: 'expires_at には starts_at より後の日時を指定してください',
    });
  }
  return terms;
}

/** When a share ends: what is sent, within the bound; without any, the bound itself. Errors: `validation_failed`. */
function expiry(sent: string | null, { share_max_days }: Bounds, now: Date): string | null {
  const latest =
    share_max_days === null ? null : new Date(now.getTime() + share_max_days * DAY).toISOString();
  if (sent === null) return latest;
  if (sent <= now.toISOString()) {
    throw invalid('/expires_at', 'in_the_past', {
      en: 'expires_at must be later than now',
      ja: 'expires_at には現在より後の日時を指定してください',
    });
  }
  if (latest !== null && sent > latest) {
    throw invalid('/expires_at', 'too_large', {
      en: `expires_at can be ${share_max_days} days from now at most`,
      ja: `expires_at は現在から${share_max_days}日以内で指定してください`,
    });
  }
  return sent;
}
