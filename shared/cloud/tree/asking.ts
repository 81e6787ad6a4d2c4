import type { Reader } from '../../kernel/reader.ts';
import type { Asking } from '../permissions.ts';

/** Who asks, as folders see them. Departments come with attendance: until then nobody is in one. */
export function askingOf({ actor }: Pick<Reader, 'actor'>): Asking {
  const { user_id, role, grants } = actor;
  return { user_id, role, grants, department_ids: [] };
}
