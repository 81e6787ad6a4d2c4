import { Failure } from '../../../kernel/failure.ts';
import { isAtLeast, mayManage, type Role } from '../../../kernel/scope.ts';

/** Whether somebody of that role may give `role` to others: owners any, others what stands below their own. */
export function mayGive(own: Role, role: Role): boolean {
  return own === 'owner' || !isAtLeast(role, own);
}

/** Whether somebody of that role, null for who has left, may invite others as `role`. */
export function mayInvite(own: Role | null, role: Role): boolean {
  return own !== null && mayManage(own) && mayGive(own, role);
}

/** The refusal of a role that is not below one's own. */
export function belowOnly(own: Role): Failure {
  return new Failure('insufficient_scope', {
    detail: {
      en: `As ${own} you can act on members whose role is below yours, and give only such roles`,
      ja: `${own} の役割で操作できるのは、自分より下の役割のメンバーだけです。与えられるのも自分より下の役割だけです`,
    },
  });
}
