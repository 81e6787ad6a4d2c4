import type { Actor } from '../../kernel/reader.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { allows } from '../../kernel/scope.ts';
import { needsScope } from '../forms/refusals.ts';
import type { KeptSettings } from './record.ts';

type Reaching = Pick<KeptSettings, 'crm' | 'mailing_list'>;

/**
 * Sees that who turns on what reaches into CRM or the mailing lists, or changes it while it is on, may write there.
 * `before` is null for a new form. Errors: `insufficient_scope`.
 */
export function requireScopesOf({ grants }: Actor, before: Reaching | null, after: Reaching): void {
  if (after.crm.enabled && isChanged(before?.crm, after.crm) && !allows(grants, 'crm:write')) {
    throw needsScope('crm:write');
  }
  if (
    after.mailing_list !== null &&
    isChanged(before?.mailing_list, after.mailing_list) &&
    !allows(grants, 'mail:write')
  ) {
    throw needsScope('mail:write');
  }
}

function isChanged(before: object | null | undefined, after: object): boolean {
  return !isSameJson(before ?? null, after);
}
