import type { Reader } from '../../kernel/reader.ts';
import { askingOf } from '../requests/deciding.ts';
import { plainSettings } from '../settings/queries.ts';
import { isSeen, sightOf } from '../sight/sight.ts';
import type { Asking } from './transitions.ts';

/** The member whose month it is. */
type Subject = { id: string; department_id: string | null };

/** Who asks, as they stand to the month of each member. */
export async function askingAbout(reader: Reader): Promise<(member: Subject) => Asking> {
  const { role, type } = reader.actor;
  const [{ about }, sight, { manager_can_confirm }] = await Promise.all([
    askingOf(reader),
    sightOf(reader),
    plainSettings(reader),
  ]);
  const manages = type === 'system' || role === 'owner' || role === 'admin';
  return (member) => {
    const { grants, user_id, decides, decides_own } = about(member);
    return {
      grants,
      user_id,
      decides,
      decides_own,
      acts: sight.of !== 'own' && isSeen(sight, member),
      confirms: decides && (manages || manager_can_confirm),
      manages,
    };
  };
}
