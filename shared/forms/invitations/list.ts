import { pageOf } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type FormInvitation, InvitationModel } from './record.ts';
import { type InvitationRow, invitationColumns, invitationsOf } from './rows.ts';

const TABLE = InvitationModel.tableName;

/** A window of the invitations to a form, those that have ended too. Errors: `invalid_cursor`. */
export async function invitationPage(
  reader: Reader,
  form_id: string,
  window: Window,
): Promise<Page<FormInvitation>> {
  const query = InvitationModel.table(reader).where(`${TABLE}.form_id`, form_id);
  const page = await pageOf<InvitationRow>(reader, {
    query,
    table: TABLE,
    columns: invitationColumns,
    prefix: 'finv',
    window,
    is_filtered: true,
  });
  return { ...page, rows: await invitationsOf(reader, page.rows) };
}
