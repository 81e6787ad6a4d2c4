import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { permissionOf } from '../permissions.ts';
import { restrictionOn, type Way } from './ancestors.ts';
import { askingOf } from './asking.ts';
import { requirePermission } from './place.ts';

/**
 * Something is taken out of a place: an editor there may, and out of a restricted folder a manager. The ways begin with the
 * folders that it lies in before and after. Errors: `folder_permission`.
 */
export function requireLeave(reader: Reader, from: Way, to: Way): void {
  const restricted = from.find(({ is_restricted }) => is_restricted);
  const permission = permissionOf(askingOf(reader), restrictionOn(from));
  // A folder may be granted to somebody below one that they do not see: from there they take nothing.
  if (permission === null) throw new Failure('folder_permission');
  const stays = restricted === undefined || to.some(({ id }) => id === restricted.id);
  requirePermission(permission, stays ? 'editor' : 'manager');
}
