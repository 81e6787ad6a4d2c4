import type { Database } from '../../shared/db/database.ts';
import { daysLater } from '../../shared/kernel/days.ts';
import { searchColumns } from '../../shared/sign/documents/changes.ts';
import { defaultReminders } from '../../shared/sign/settings/reminders.ts';
import { BEFORE_FIRST } from '../../shared/sign/trail/chain.ts';
import type { TestActor } from './actors.ts';
import { fill } from './many-records.ts';

type Owner = Pick<TestActor, 'organization_id' | 'user_id'>;

const SUBJECTS = [
  '業務委託契約書',
  '秘密保持契約書',
  '売買契約書',
  '注文書',
  '覚書',
  '雇用契約書',
  '賃貸借契約書',
];

/** Of ten documents, the statuses: most are signed, as in an organization that has worked for years. */
const STATUSES = [
  'signed',
  'signed',
  'signed',
  'signed',
  'signed',
  'signed',
  'signed',
  'cancelled',
  'draft',
  'sent',
];

const DAYS = 1_000;

export type SeededSigning = { ids: string[]; signer_ids: string[]; first_day: string; last_day: string };

/** The hash that a test writes for the n-th one of a kind, in hex. */
export const nthHash = (kind: number, n: number) => `${kind}${String(n).padStart(63, '0')}`;

/**
 * Documents that their sender sees, with a signer, a field, an upload, a sealed file, an event and a mail each, over the last thousand days, the newest last. One in a
 * thousand needs attention, is to be reminded of, expires, is to be sealed or to be stamped again, which is due in an hour, or has a mail under way. Every
 * ten-thousandth has a title that no other has, and of 2,000 one is for the whole organization.
 */
export async function seedSignings(
  database: Database,
  owner: Owner,
  { count, companies = [] }: { count: number; companies?: readonly string[] },
): Promise<SeededSigning> {
  const last_day = new Date().toISOString().slice(0, 10);
  const first_day = daysLater(last_day, -DAYS);
  const dayOf = (n: number) => daysLater(first_day, Math.floor((n * DAYS) / count));
  const soon = new Date(Date.now() + 60 * 60_000).toISOString();
  const late = new Date(Date.now() + 60 * 24 * 60 * 60_000).toISOString();
  const isRare = (n: number) => n % 1_000 === 9;
  const statusOf = (n: number) => STATUSES[n % STATUSES.length]!;
  const personOf = (n: number) => ({ name: `署名者${n % 5_000}`, email: `signer${n % 5_000}@example.jp` });

  const ids = await fill(database, owner, 'sign_documents', 'doc', count, (n, { created_at }) => {
    const status = statusOf(n);
    const title = `${n % 10_000 === 17 ? '勅使河原' : ''}${SUBJECTS[n % SUBJECTS.length]}${n}`;
    const isSent = status === 'sent';
    return {
      title,
      status,
      locale: 'ja',
      time_zone: 'Asia/Tokyo',
      visibility: n % 2_000 === 1 ? 'organization' : 'private',
      viewers: [],
      allow_forward: false,
      reminders: defaultReminders,
      metadata: {},
      warnings: [],
      transaction_date: dayOf(n),
      amount: 1_100 * ((n % 97_000) + 1),
      counterparty_name: `取引先${n % 500}`,
      company_id: companies.length > 0 ? companies[n % companies.length] : null,
      expires_at: status === 'draft' ? null : isSent && isRare(n) ? soon : late,
      warn_at: isSent ? (isRare(n) ? soon : late) : null,
      cancel_reason: status === 'cancelled' ? 'by_sender' : null,
      sealing_status: status === 'signed' ? 'done' : isSent && n % 2_000 === 19 ? 'pending' : 'none',
      sealing_attempts: 0,
      sealing_since: isSent && n % 2_000 === 19 ? soon : null,
      seal_renew_at: status === 'signed' ? (n % 1_000 === 0 ? soon : late) : null,
      trail_length: status === 'draft' ? 0 : 1,
      trail_head: status === 'draft' ? BEFORE_FIRST : nthHash(3, n),
      needs_attention: isRare(n),
      created_by: owner.user_id,
      sent_at: status === 'draft' ? null : created_at,
      signed_at: status === 'signed' ? created_at : null,
      ...searchColumns({ title, counterparty_name: `取引先${n % 500}` }, [personOf(n)]),
    };
  });
  const signer_ids = await fill(database, owner, 'sign_signers', 'signer', count, (n, { created_at }) => {
    const status = statusOf(n);
    const isSent = status === 'sent';
    return {
      updated_at: undefined,
      document_id: ids[n],
      position: 0,
      key: 's1',
      ...personOf(n),
      email_key: personOf(n).email,
      role: 'signer',
      order_group: 1,
      auth: 'email_otp',
      locale: 'ja',
      time_zone: 'Asia/Tokyo',
      status: { draft: 'waiting', sent: 'notified', signed: 'signed', cancelled: 'cancelled' }[status],
      delivery: isRare(n) ? 'unknown' : 'sent',
      failed_tries: 0,
      is_locked: false,
      reminders_sent: 0,
      notified_at: status === 'draft' ? null : created_at,
      next_reminder_at: isSent ? (isRare(n) ? soon : late) : null,
    };
  });
  await fill(database, owner, 'sign_fields', 'sfld', count, (n) => ({
    created_at: undefined,
    updated_at: undefined,
    document_id: ids[n],
    signer_id: signer_ids[n],
    position: 0,
    type: 'signature',
    page: 1,
    x: 0.1,
    y: 0.1,
    w: 0.3,
    h: 0.05,
    required: true,
    font_size: 10,
    read_only: false,
  }));
  await database.withConnection(owner.organization_id, async ({ query }) => {
    await query(
      `INSERT INTO sign_files (organization_id, document_id, kind, version, is_present, storage_key, file_name, size_bytes, sha256,
         page_count, has_signatures, geometry, seal_digest, created_at)
       SELECT $1, id, kind, 1, true, $1 || '/sign/' || kind || n, '契約書.pdf', 1000,
         CASE kind WHEN 'original' THEN '1' ELSE '2' END || lpad(n::text, 63, '0'), 1, kind = 'signed',
         '[{"crop_box": [0, 0, 595, 842], "rotation": 0}]',
         CASE kind WHEN 'signed' THEN '4' || lpad(n::text, 63, '0') END, created_at
         FROM (SELECT id, status, created_at, row_number() OVER (ORDER BY id) - 1 AS n FROM sign_documents
                WHERE organization_id = $1 AND id = ANY ($2)) AS document
         CROSS JOIN (VALUES ('original'), ('signed')) AS of (kind)
        WHERE kind = 'original' OR status = 'signed'`,
      [owner.organization_id, ids],
      { prepared: false },
    );
    await query(
      `INSERT INTO sign_trail (organization_id, document_id, seq, id, type, actor, at, data, prev_hash, hash)
       SELECT $1, id, 1, 'sevt' || substr(id, 4), 'sent', '{"type": "system", "id": "system", "name": "system"}', created_at, '{}',
         $2, trail_head
         FROM sign_documents WHERE organization_id = $1 AND id = ANY ($3) AND status <> 'draft'`,
      [owner.organization_id, BEFORE_FIRST, ids],
      { prepared: false },
    );
    await query(
      `WITH asked AS (
         SELECT document_id, id, created_at, 'mail' || substr(id, 7) AS mail_id, row_number() OVER (ORDER BY id) % 1000 <> 0 AS is_ended
           FROM sign_signers WHERE organization_id = $1 AND id = ANY ($2)
       ), mailed AS (
         INSERT INTO mails (organization_id, id, purpose, about, locale, status, created_at, updated_at)
         SELECT $1, mail_id, 'sign.mail', '{}', 'ja', CASE WHEN is_ended THEN 'sent' ELSE 'queued' END, created_at, created_at FROM asked)
       INSERT INTO sign_mails (organization_id, mail_id, document_id, signer_id, kind, told, is_waiting, is_ended)
       SELECT $1, mail_id, document_id, id, 'invitation', '{}', false, is_ended FROM asked`,
      [owner.organization_id, signer_ids],
      { prepared: false },
    );
  });
  return { ids, signer_ids, first_day, last_day };
}
