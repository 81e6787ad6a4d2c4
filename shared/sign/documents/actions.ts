import { allows, type Grant } from '../../kernel/scope.ts';
import type { DocumentRow, SignerRow } from './rows.ts';
import { type DocumentAction, documentActions } from './words.ts';

type Standing = {
  document: Pick<DocumentRow, 'status' | 'sealing_status' | 'retention_until'>;
  signers: readonly Pick<SignerRow, 'status' | 'role' | 'is_locked' | 'locked_until'>[];
};

/** What somebody with these grants can do to a document now, in the order of the actions. */
export function actionsFor(
  { document, signers }: Standing,
  { grants, today }: { grants: readonly Grant[]; today: string },
): DocumentAction[] {
  if (!allows(grants, 'sign:write')) return [];
  const { status, sealing_status, retention_until } = document;
  const acting = signers.filter(({ role }) => role !== 'cc');
  const isUnsigned = acting.some((signer) => signer.status !== 'signed');
  const open = acting.filter((signer) => signer.status === 'notified' || signer.status === 'viewed');
  const isOpen = status === 'sent' && isUnsigned;
  const can: Readonly<Record<DocumentAction, boolean>> = {
    send: status === 'draft',
    cancel: status === 'draft' || isOpen,
    remind: status === 'sent' && open.length > 0,
    seal: status === 'sent' && sealing_status === 'failed',
    replace: isOpen,
    unlock: status === 'sent' && open.some((signer) => signer.is_locked || signer.locked_until !== null),
    update: true,
    delete:
      status === 'draft' ||
      status === 'cancelled' ||
      (status === 'signed' && (retention_until === null || retention_until < today)),
  };
  return documentActions.filter((action) => can[action]);
}
