import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Delivery, FormInvitation } from './record.ts';

export const invitationColumns = [
  'id',
  'form_id',
  'email',
  'name',
  'hidden',
  'mail_id',
  'expires_at',
  'revoked_at',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type InvitationRow = Omit<FormInvitation, 'object' | 'delivery' | 'response_id'> & {
  mail_id: string | null;
};

type Fate = { delivery: Delivery; response_id: string | null };

/** Rows as the API shows them: what became of their mails and who answered stands elsewhere. Two statements for any number. */
export async function invitationsOf(
  { connection, organization_id }: Reader,
  rows: readonly InvitationRow[],
): Promise<FormInvitation[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const mail_ids = rows.flatMap(({ mail_id }) => mail_id ?? []);
  const [mails, answers] = await Promise.all([
    connection.query<{ id: string; delivery: Delivery }>(
      `SELECT id, CASE status WHEN 'sending' THEN 'queued' ELSE status END AS delivery FROM mails
        WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
      [organization_id, mail_ids],
    ),
    connection.query<{ id: string; response_id: string }>(
      `SELECT invitation_id AS id, min(id) AS response_id FROM forms_responses
        WHERE organization_id = $1 AND invitation_id = ${oneOf('$2')} AND NOT is_spam GROUP BY invitation_id`,
      [organization_id, ids],
    ),
  ]);
  const deliveryOf = new Map(mails.map(({ id, delivery }) => [id, delivery]));
  const responseOf = new Map(answers.map(({ id, response_id }) => [id, response_id]));
  return rows.map((row) =>
    invitationOf(row, {
      delivery: deliveryOf.get(row.mail_id ?? '') ?? 'none',
      response_id: responseOf.get(row.id) ?? null,
    }),
  );
}

/** A row as the API shows it. */
export function invitationOf(row: InvitationRow, { delivery, response_id }: Fate): FormInvitation {
  const { id, form_id, email, name, hidden } = row;
  return {
    id,
    object: 'forms.invitation',
    form_id,
    email,
    name,
    hidden,
    delivery,
    response_id,
    ...pick(row, ['expires_at', 'revoked_at', 'created_by', 'created_at', 'updated_at']),
  };
}
