import { listedColumns } from '../../../../shared/sign/documents/listed.ts';
import { SignDocumentModel } from '../../../../shared/sign/documents/rows.ts';
import { listedDocumentOf } from '../../../../shared/sign/documents/shown.ts';
import { type Any, database } from '../bare-server.ts';
import { ALL, idsOf, type List, pageAndTotal } from './page.ts';

const signerColumns = [
  'id',
  'document_id',
  'position',
  'key',
  'name',
  'email',
  'role',
  'order_group',
  'auth',
  'access_code_hash',
  'locale',
  'time_zone',
  'status',
  'delivery',
  'delivery_error',
  'is_locked',
  'locked_until',
  'viewed_at',
  'signed_at',
  'decline_reason',
  'reminders_sent',
  'next_reminder_at',
];

const fileColumns = [
  'document_id',
  'kind',
  'is_present',
  'file_name',
  'size_bytes',
  'sha256',
  'page_count',
  'has_signatures',
];

/** Documents for signing with their signers and present files. */
export const signDocuments: List = async (asked) => {
  const { organization_id, now } = asked;
  const query = SignDocumentModel.query().where({ organization_id }).whereNull('erased_at');
  const [rows, total] = await pageAndTotal(query, listedColumns, asked);
  const ids = idsOf(rows);
  const [signers, files] = await Promise.all([
    database('sign_signers')
      .where({ organization_id })
      .whereIn('document_id', ids)
      .orderBy('position')
      .select(signerColumns),
    database('sign_files')
      .where({ organization_id, is_present: true })
      .whereIn('document_id', ids)
      .whereNot('kind', 'redrawn')
      .select(fileColumns),
  ]);
  const signers_of = Map.groupBy(signers, ({ document_id }) => document_id);
  const files_of = Map.groupBy(files, ({ document_id }) => document_id);
  const asking: Any = { actor: { grants: ALL }, now, may_send: true };
  const items = rows.map((document) => {
    const parts = { signers: signers_of.get(document.id) ?? [], files: files_of.get(document.id) ?? [] };
    return listedDocumentOf({ document, ...parts }, asking);
  });
  return { items, total };
};
