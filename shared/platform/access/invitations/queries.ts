import { pageOf } from '../../../db/list.ts';
import { notFound } from '../../../kernel/failure.ts';
import type { Reader } from '../../../kernel/reader.ts';
import type { Page, Window } from '../../../kernel/window.ts';
import { type DeliveryStatus, type Invitation, InvitationModel } from './record.ts';

export const invitationColumns = [
  'id',
  'email',
  'role',
  'slack_user_id',
  'delivery_status',
  'status',
  'expires_at',
  'invited_by',
  'created_at',
  'updated_at',
] as const;

/** A row as it is kept: `sending` from the moment before a message leaves until its end is known. */
export type InvitationRow = Omit<Invitation, 'object' | 'delivery_status'> & {
  delivery_status: DeliveryStatus | 'sending' | null;
};

/** The status at that time: an open one whose time has run out is expired. */
export function statusAt(
  { status, expires_at }: Pick<InvitationRow, 'status' | 'expires_at'>,
  now: Date,
): Invitation['status'] {
  return status === 'pending' && expires_at <= now.toISOString() ? 'expired' : status;
}

/** A row as the API shows it at that time. */
export function invitationOf(row: InvitationRow, now: Date): Invitation {
  const { id, email, role, slack_user_id, expires_at, invited_by, created_at, updated_at } = row;
  return {
    id,
    object: 'invitation',
    email,
    role,
    slack_user_id,
    delivery_status: row.delivery_status === 'sending' ? 'queued' : row.delivery_status,
    status: statusAt(row, now),
    expires_at,
    invited_by,
    created_at,
    updated_at,
  };
}

/** One invitation. Errors: `not_found`. */
export async function invitationById(reader: Reader, id: string): Promise<Invitation> {
  const row = await InvitationModel.table(reader).where({ id }).first(invitationColumns);
  if (!row) throw notFound();
  return invitationOf(row as InvitationRow, reader.now);
}

/** The row of an invitation, locked until the work commits. Errors: `not_found`. */
export async function lockInvitation(reader: Reader, id: string): Promise<InvitationRow> {
  const [row] = await reader.connection.query<InvitationRow>(
    `SELECT ${invitationColumns.join(', ')} FROM invitations WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  return row;
}

/** The open row of an address, locked until the work commits; undefined where there is none. */
export async function lockPendingFor(reader: Reader, email: string): Promise<InvitationRow | undefined> {
  const [row] = await reader.connection.query<InvitationRow>(
    `SELECT ${invitationColumns.join(', ')} FROM invitations
      WHERE organization_id = $1 AND lower(email) = $2 AND status = 'pending' FOR UPDATE`,
    [reader.organization_id, email],
  );
  return row;
}

/** The open rows that somebody invited by, locked until the work commits. */
export function lockPendingBy(reader: Reader, user_id: string): Promise<InvitationRow[]> {
  return reader.connection.query<InvitationRow>(
    `SELECT ${invitationColumns.join(', ')} FROM invitations
      WHERE organization_id = $1 AND invited_by = $2 AND status = 'pending' ORDER BY id FOR UPDATE`,
    [reader.organization_id, user_id],
  );
}

/** A window of the invitations that the filters leave. */
export async function invitationPage(
  reader: Reader,
  filters: { status?: Invitation['status']; email?: string },
  window: Window,
): Promise<Page<Invitation>> {
  const query = InvitationModel.table(reader);
  const now = reader.now.toISOString();
  if (filters.email) query.whereRaw('lower(invitations.email) = ?', [filters.email]);
  if (filters.status === 'pending') query.where({ status: 'pending' }).where('expires_at', '>', now);
  else if (filters.status === 'expired') {
    query.where((either) =>
      either
        .where({ status: 'expired' })
        .orWhere((open) => open.where({ status: 'pending' }).where('expires_at', '<=', now)),
    );
  } else if (filters.status) query.where({ status: filters.status });
  const table = InvitationModel.tableName;
  const page = await pageOf<InvitationRow>(reader, {
    query,
    table,
    columns: invitationColumns,
    prefix: 'invt',
    window,
  });
  return { ...page, rows: page.rows.map((row) => invitationOf(row, reader.now)) };
}
