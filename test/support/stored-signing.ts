import { randomBytes } from 'node:crypto';
import type { Database } from '../../shared/db/database.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { newId } from '../../shared/kernel/id.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { searchColumns } from '../../shared/sign/documents/changes.ts';
import {
  type DocumentRow,
  type FieldRow,
  SignDocumentModel,
  SignerModel,
  type SignerRow,
  SignFieldModel,
  SignFileModel,
} from '../../shared/sign/documents/rows.ts';
import { defaultReminders } from '../../shared/sign/settings/reminders.ts';
import { BEFORE_FIRST } from '../../shared/sign/trail/chain.ts';

export type Drafted = {
  organization_id: string;
  user_id: string | null;
  now?: Date;
  document?: Partial<DocumentRow>;
  /** What differs of each signer; one who signs unless said. */
  signers?: readonly Partial<SignerRow>[];
  /** Whether it has a file of one page. */
  has_file?: boolean;
};

/**
 * A draft that can be sent, written past the calls that upload its file: for tests of what follows. Each signer has a field for a
 * signature. Answers the ID of the document and those of its signers.
 */
export async function storedDraft(
  { database }: { database: Database },
  { organization_id, user_id, now = new Date(), document = {}, signers = [{}], has_file = true }: Drafted,
): Promise<{ id: string; signer_ids: string[] }> {
  const created_at = now.toISOString();
  const id = newId('doc', now);
  const rows = signers.map((changes, index): SignerRow => {
    const email = changes.email ?? `signer${index + 1}.${id.slice(-6)}@example.jp`;
    return {
      id: newId('signer', now),
      document_id: id,
      position: index,
      key: `s${index + 1}`,
      name: `署名者${index + 1}`,
      email,
      email_key: email,
      role: 'signer',
      order_group: 1,
      auth: 'none',
      access_code_hash: null,
      locale: 'ja',
      time_zone: 'Asia/Tokyo',
      status: 'waiting',
      delivery: 'none',
      delivery_error: null,
      failed_tries: 0,
      is_locked: false,
      locked_until: null,
      notified_at: null,
      viewed_at: null,
      signed_at: null,
      signed_from: null,
      decline_reason: null,
      reminders_sent: 0,
      next_reminder_at: null,
      reminded_at: null,
      created_at,
      ...changes,
    };
  });
  const title = document.title ?? '業務委託契約書';
  const row = {
    id,
    title,
    status: 'draft',
    locale: 'ja',
    time_zone: 'Asia/Tokyo',
    visibility: 'private',
    allow_forward: false,
    reminders: defaultReminders,
    trail_head: BEFORE_FIRST,
    created_by: user_id,
    created_at,
    updated_at: created_at,
    ...searchColumns({ title, counterparty_name: null }, rows),
    ...document,
  };
  const reader = { organization_id, actor: systemActor, now, request_id: null, ip_address: null };
  await database.withConnection(organization_id, (connection) =>
    inWork(
      { ...reader, connection },
      async (work) => {
        work.insert(SignDocumentModel, row);
        work.insertAll(SignerModel, rows);
        work.insertAll(
          SignFieldModel,
          rows
            .filter(({ role }) => role === 'signer')
            .map((signer, position) => fieldOf(signer, position, now)),
        );
        if (has_file)
          work.insert(SignFileModel, { ...fileRow, document_id: id, created_at, sha256: sha256() });
      },
      { may_change_nothing: true },
    ),
  );
  return { id, signer_ids: rows.map((signer) => signer.id) };
}

function fieldOf({ id, document_id }: SignerRow, position: number, now: Date): FieldRow {
  return {
    id: newId('sfld', now),
    document_id,
    signer_id: id,
    position,
    key: null,
    type: 'signature',
    page: 1,
    x: 0.1,
    y: 0.1,
    w: 0.2,
    h: 0.05,
    required: true,
    label: null,
    options: null,
    font_size: 10,
    validation: null,
    prefill: null,
    value: null,
    read_only: false,
  };
}

const fileRow = {
  kind: 'original',
  version: 1,
  is_present: true,
  storage_key: 'sign/of-no-file',
  file_name: '業務委託契約書.pdf',
  size_bytes: 1_000,
  page_count: 1,
  has_signatures: false,
  geometry: [{ crop_box: [0, 0, 595, 842], rotation: 0 }],
};

const sha256 = () => randomBytes(32).toString('hex');
