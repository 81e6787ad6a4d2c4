import { Failure } from '../../kernel/failure.ts';
import type { Actor } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
import { conditionsOf, type SegmentFilter } from './filter.ts';

/** Who asks for what is known of CRM contacts must be allowed to read them. Errors: `insufficient_scope`. */
export function requireLinkedRights({ grants }: Pick<Actor, 'grants'>, filter: SegmentFilter): void {
  if (allows(grants, 'crm:read')) return;
  const asked = conditionsOf(filter).find(({ field }) => field.startsWith('crm.'));
  if (!asked) return;
  throw new Failure('insufficient_scope', {
    detail: {
      en: `The field ${asked.field} needs the scope crm:read`,
      ja: `項目 ${asked.field} を使うにはスコープ crm:read が必要です`,
    },
    members: { required_scope: 'crm:read' },
  });
}
