import type { AskingAbout } from './deciding.ts';
import type { Owner } from './owners.ts';
import type { RequestRow } from './record.ts';
import { actionsFor, type Standing } from './transitions.ts';

/** What decides what can be done to a request. */
export function standingOf(
  { kind, first_day }: Pick<Standing, 'kind' | 'first_day'>,
  { status, created_by }: RequestRow,
  member_user_id: string | null,
): Standing {
  return { kind, status, member_user_id, created_by, first_day };
}

/** What a request shows beside what it asks for. */
export function decisionShown(
  row: RequestRow,
  about: Pick<Standing, 'kind' | 'first_day'>,
  owner: Owner,
  asking: AskingAbout,
) {
  const { status, approver_id, decided_at, decision_comment, created_by } = row;
  const { external_id, metadata, created_at, updated_at } = row;
  const standing = standingOf(about, row, owner.user_id);
  return {
    status,
    approver_id,
    decided_at,
    decision_comment,
    available_actions: actionsFor(standing, asking.about(owner)),
    created_by,
    external_id,
    metadata,
    created_at,
    updated_at,
  };
}
