import type { SignerRow } from '../documents/rows.ts';

type Placed = Pick<SignerRow, 'role' | 'status' | 'order_group'>;

/** Whether somebody signs or approves; the others get the copy alone. */
export function isActing({ role }: Pick<SignerRow, 'role'>): boolean {
  return role !== 'cc';
}

/** Whether a signer is asked, and has neither signed nor declined. */
export function isAsked({ status }: Pick<SignerRow, 'status'>): boolean {
  return status === 'notified' || status === 'viewed';
}

/** The group whose turn it is: the lowest in which somebody has not signed; null where all have. */
export function groupInTurn(signers: readonly Placed[]): number | null {
  const unsigned = signers.filter((signer) => isActing(signer) && signer.status !== 'signed');
  return unsigned.length === 0 ? null : Math.min(...unsigned.map(({ order_group }) => order_group));
}

/** Those of the group in turn who have not been asked. */
export function toBeAsked<Row extends Placed>(signers: readonly Row[]): Row[] {
  const group = groupInTurn(signers);
  return signers.filter(
    (signer) => isActing(signer) && signer.order_group === group && signer.status === 'waiting',
  );
}
