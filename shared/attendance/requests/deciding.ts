import type { Reader } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
import { plainSettings, todayOf } from '../settings/queries.ts';
import { isSeen, sightOf } from '../sight/sight.ts';
import type { Asking } from './transitions.ts';

/** The member whose request it is. */
type Subject = { id: string; department_id: string | null };

/** Who asks, as it stands to the requests of each member, and the day that it is. */
export type AskingAbout = { today: string; about: (member: Subject) => Asking };

/** Who asks: managers decide for their team, owners and admins for all; everybody acts by the settings and the day. */
export async function askingOf(reader: Reader): Promise<AskingAbout> {
  const { grants, user_id, role, type } = reader.actor;
  const [sight, settings, today, is_only_owner] = await Promise.all([
    sightOf(reader),
    plainSettings(reader),
    todayOf(reader),
    isOnlyOwner(reader),
  ]);
  const may =
    (type === 'system' || (role !== null && role !== 'member')) && allows(grants, 'approvals:write');
  const decides_own = settings.allow_self_approval || is_only_owner;
  return {
    today,
    about: (member) => ({ grants, user_id, decides: may && isSeen(sight, member), decides_own, today }),
  };
}

async function isOnlyOwner({ connection, organization_id, actor }: Reader): Promise<boolean> {
  if (actor.role !== 'owner' || actor.user_id === null) return false;
  const others = await connection.query(
    `SELECT FROM members
      WHERE organization_id = $1 AND role = 'owner' AND left_at IS NULL AND user_id <> $2 LIMIT 1`,
    [organization_id, actor.user_id],
  );
  return others.length === 0;
}
