import { Readable } from 'node:stream';
import type { Database } from '../../shared/db/database.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { newId } from '../../shared/kernel/id.ts';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { keepFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
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
import { enqueueSeal } from '../../shared/sign/sealing/jobs.ts';
import { defaultReminders } from '../../shared/sign/settings/reminders.ts';
import { addToTrail, guestOf, SYSTEM } from '../../shared/sign/trail/add.ts';
import { BEFORE_FIRST } from '../../shared/sign/trail/chain.ts';
import { hashOfValues } from '../../shared/sign/values/hash.ts';
import type { TestActor } from './actors.ts';
import { pdfOfPages } from './made-pdfs.ts';

export type PendingOptions = {
  now?: Date;
  /** The upload. */
  pdf?: Buffer;
  pages?: number;
  has_signatures?: boolean;
  document?: Partial<DocumentRow>;
  signers?: readonly Partial<SignerRow>[];
  fields?: readonly Partial<FieldRow>[];
};

type Where = { database: Database; storage: Storage };

/** What one transaction of the service itself does in an organization. */
export function inOrganization<T>(
  { database }: Pick<Where, 'database'>,
  { organization_id, now = new Date() }: { organization_id: string; now?: Date },
  run: (work: Work) => Promise<T>,
): Promise<T> {
  return database.withConnection(organization_id, (connection) => {
    const reader: Reader = {
      connection,
      organization_id,
      now,
      actor: systemActor,
      request_id: null,
      ip_address: null,
    };
    return inWork(reader, run, { may_change_nothing: true });
  });
}

/**
 * A document that all have signed, with its upload in the store and its trail, whose seal is asked for: written past the calls of
 * its sender and signers. Answers its ID.
 */
export async function pendingSeal(
  where: Where,
  { organization_id, user_id }: Pick<TestActor, 'organization_id' | 'user_id'>,
  options: PendingOptions = {},
): Promise<string> {
  const { now = new Date(), pages = 2, has_signatures = false } = options;
  const pdf = options.pdf ?? pdfOfPages(Array.from({ length: pages }, () => ({})));
  const body = Readable.from([pdf], { objectMode: false });
  const file = { organization_id, area: 'uploads', body, limit: pdf.length, now };
  const { storage_key, sha256 } = await storeFile(where, file);
  const id = newId('doc', now);
  const at = now.toISOString();
  const signers = (options.signers ?? [{}]).map((changes, position) =>
    signed(changes, { id, at, position, now }),
  );
  const fields = (options.fields ?? [{}]).map(
    (changes, position): FieldRow => ({
      ...FIELD,
      id: newId('sfld', now),
      document_id: id,
      signer_id: signers[0]!.id,
      position,
      ...changes,
    }),
  );
  await inOrganization(where, { organization_id, now }, async (work) => {
    const title = options.document?.title ?? '業務委託契約書';
    const row = {
      id,
      title,
      status: 'sent',
      locale: 'ja',
      time_zone: 'Asia/Tokyo',
      visibility: 'private',
      allow_forward: false,
      reminders: defaultReminders,
      trail_head: BEFORE_FIRST,
      sealing_status: 'pending',
      sealing_since: at,
      created_by: user_id,
      sent_at: at,
      created_at: at,
      updated_at: at,
      ...searchColumns({ title, counterparty_name: null }, signers),
      ...options.document,
    };
    work.insert(SignDocumentModel, row);
    work.insertAll(SignerModel, signers);
    work.insertAll(SignFieldModel, fields);
    await keepFile(work, storage_key);
    work.insert(SignFileModel, {
      document_id: id,
      kind: 'original',
      version: 1,
      is_present: true,
      storage_key,
      file_name: '業務委託契約書.pdf',
      size_bytes: pdf.length,
      sha256,
      page_count: pages,
      has_signatures,
      geometry: Array.from({ length: pages }, () => ({ crop_box: [0, 0, 595, 842], rotation: 0 })),
      created_at: at,
    });
    const sender = { type: 'user', id: user_id, name: '試験 太郎' } as const;
    const document = { id, trail_length: 0, trail_head: BEFORE_FIRST, trail_at: null };
    const values_sha256 = hashOfValues(fields.map((field) => ({ id: field.id, value: field.value })));
    const data = {
      document_sha256: sha256,
      values_sha256,
      own_values_sha256: values_sha256,
      consent_version: 1,
    };
    addToTrail(work, document, [
      { type: 'sent', actor: sender, data: { file_sha256: sha256, signers: signers.length } },
      ...signers.flatMap((signer) => [
        { type: 'invited', actor: SYSTEM, signer_id: signer.id } as const,
        { type: 'opened', actor: guestOf(signer), signer_id: signer.id, ip_address: '203.0.113.7' } as const,
        {
          type: 'signed',
          actor: guestOf(signer),
          signer_id: signer.id,
          ip_address: '203.0.113.7',
          data,
        } as const,
      ]),
      { type: 'completed', actor: SYSTEM },
    ]);
    enqueueSeal(work, document);
  });
  return id;
}

function signed(
  changes: Partial<SignerRow>,
  { id, at, position, now }: { id: string; at: string; position: number; now: Date },
): Partial<SignerRow> & Pick<SignerRow, 'id' | 'name' | 'email'> {
  return {
    id: newId('signer', now),
    document_id: id,
    position,
    key: `s${position + 1}`,
    name: `署名者${position + 1}`,
    email: `signer${position + 1}@example.jp`,
    email_key: `signer${position + 1}@example.jp`,
    role: 'signer',
    order_group: 1,
    auth: 'email_otp',
    locale: 'ja',
    time_zone: 'Asia/Tokyo',
    status: 'signed',
    delivery: 'sent',
    notified_at: at,
    viewed_at: at,
    signed_at: at,
    created_at: at,
    ...changes,
  };
}

const FIELD: Omit<FieldRow, 'id' | 'document_id' | 'signer_id' | 'position'> = {
  key: null,
  type: 'signature',
  page: 1,
  x: 0.1,
  y: 0.1,
  w: 0.3,
  h: 0.06,
  required: true,
  label: null,
  options: null,
  font_size: 10,
  validation: null,
  prefill: null,
  value: { kind: 'typed', text: '佐藤 花子' },
  read_only: false,
};
