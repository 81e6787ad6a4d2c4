import type { Reader } from '../../kernel/reader.ts';
import type { Asking } from '../permissions.ts';

/** Who asks, as folders see them. */
export function askingOf({ actor: { user_id, role, grants } }: Pick<Reader, 'actor'>): Asking {
  return { user_id, role, grants };
}
