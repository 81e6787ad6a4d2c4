import { oneOf } from '../../db/one-of.ts';
import { Failure, type FieldError, invalid } from '../../kernel/failure.ts';
import { joined, sameText } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { EventType } from '../event-types/record.ts';

/**
 * Who hosts what is proposed: of an event type its required members unless others of it are sent, which must include those
 * and, where it has rotating ones, one of these. Answered in the members' order. Errors: `unknown_reference` for who is not a
 * member of the organization, `validation_failed`, `members_mismatch`.
 */
export async function hostsOf(
  reader: Reader,
  sent: readonly string[] | undefined,
  event_type: EventType | null,
): Promise<string[]> {
  if (!event_type) {
    await requirePresent(reader, sent!);
    return [...new Set(sent)];
  }
  const required = of(event_type, 'required');
  const rotating = of(event_type, 'rotating');
  const chosen = new Set(sent ?? required);
  const members = event_type.members.map(({ user_id }) => user_id);
  const strangers = [...chosen].filter((user_id) => !members.includes(user_id));
  const isWhole = required.every((user_id) => chosen.has(user_id));
  const hasRotating = rotating.length === 0 || rotating.some((user_id) => chosen.has(user_id));
  if (sent === undefined && !hasRotating) {
    throw invalid('/user_ids', 'required', {
      en: 'user_ids is required: it says which of the rotating members host',
      ja: 'user_ids は必須です。rotating の担当者のうち誰が担当するかを指定してください',
    });
  }
  if (strangers.length > 0 || !isWhole || !hasRotating) {
    throw new Failure('members_mismatch', {
      detail: {
        en: 'user_ids has members of the event type alone: all required ones, and of rotating ones at least one',
        ja: 'user_ids にはイベントタイプの担当者だけを指定できます。必須の担当者全員と、rotating がいる場合はその1人以上が必要です',
      },
    });
  }
  return members.filter((user_id) => chosen.has(user_id));
}

function of({ members }: EventType, role: EventType['members'][number]['role']): string[] {
  return members.filter((member) => member.role === role).map(({ user_id }) => user_id);
}

async function requirePresent(
  { connection, organization_id }: Reader,
  user_ids: readonly string[],
): Promise<void> {
  const present = await connection.query<{ user_id: string }>(
    `SELECT user_id FROM members WHERE organization_id = $1 AND user_id = ${oneOf('$2')} AND left_at IS NULL`,
    [organization_id, [...user_ids]],
  );
  const known = new Set(present.map(({ user_id }) => user_id));
  const errors = user_ids.flatMap((user_id, place): FieldError[] => {
    if (known.has(user_id)) return [];
    const text = { en: ' is not a member of this organization', ja: ' はこの組織のメンバーではありません' };
    const message = joined([sameText(user_id), text], '');
    return [{ in: 'body', path: `/user_ids/${place}`, code: 'unknown_reference', message }];
  });
  if (errors.length > 0) throw new Failure('unknown_reference', { detail: errors[0]!.message, errors });
}
