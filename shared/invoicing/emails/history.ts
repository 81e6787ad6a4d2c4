import type { Fact } from '../../kernel/fact.ts';
import type { Work } from '../../kernel/work.ts';
import type { DocumentEmail } from '../documents/fields.ts';
import type { DocumentKind } from '../documents/kinds.ts';

/** What of a mail stands in the history of its document: when is said by the entry itself. */
export type EmailState = Omit<DocumentEmail, 'at'>;

/**
 * Writes into the history of a document that a mail with it was asked for, or how that ended. The document does not
 * change by it, so it emits no event.
 */
export function recordEmail(
  work: Work,
  { kind, id }: { kind: DocumentKind; id: string },
  [before, after]: readonly [EmailState, EmailState],
): void {
  const fact: Fact = {
    domain: 'invoicing' as const,
    entity_type: kind,
    action: 'update' as const,
    event: null,
    computed: new Set(),
  };
  work.record(fact, { before: shown(id, before), after: shown(id, after) });
}

function shown(id: string, { status, to, last_error }: EmailState) {
  return { id, email: { status, to, last_error } };
}

/** The mail of a job ended: what was queued has this status and, where it did not arrive, this reason. */
export async function recordEmailEnd(
  work: Work,
  { kind, id, job_id }: { kind: DocumentKind; id: string; job_id: string },
  { status, error }: { status: EmailState['status']; error: string | null },
): Promise<void> {
  const [mail] = await work.connection.query<{ to: string[] }>(
    'SELECT "to" FROM invoicing_emails WHERE organization_id = $1 AND document_id = $2 AND job_id = $3',
    [work.organization_id, id, job_id],
  );
  const { to } = mail!;
  const queued = { status: 'queued', to, last_error: null } as const;
  recordEmail(work, { kind, id }, [queued, { status, to, last_error: error }]);
}
