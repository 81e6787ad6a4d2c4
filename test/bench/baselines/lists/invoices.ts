import { DocumentModel } from '../../../../shared/invoicing/documents/record.ts';
import { NOTHING_RELATED, type Related } from '../../../../shared/invoicing/documents/related.ts';
import { documentColumns, recordOf } from '../../../../shared/invoicing/documents/rows.ts';
import { summaryOf } from '../../../../shared/invoicing/documents/shown.ts';
import { emailOf } from '../../../../shared/invoicing/emails/state.ts';
import { pdfOf } from '../../../../shared/invoicing/pdf/state.ts';
import { defaultSettings } from '../../../../shared/invoicing/settings/defaults.ts';
import { todayIn } from '../../../../shared/kernel/days.ts';
import { type Any, database } from '../bare-server.ts';
import { ALL, idsOf, type List, pageAndTotal, partsOf } from './page.ts';

/** Invoices of our own with what they were made of and into, their PDFs and mails. */
export const invoices: List = async (asked) => {
  const { organization_id, now } = asked;
  const query = DocumentModel.query().where({ organization_id, kind: 'invoice' });
  const [[rows, total], kept] = await Promise.all([
    pageAndTotal(query, documentColumns, asked),
    database('invoicing_settings')
      .where({ organization_id })
      .first('time_zone', 'issuer_registration_number', 'approval_required'),
  ]);
  const related = await relatedOf(organization_id, rows);
  const settings = { ...defaultSettings, ...kept };
  const context: Any = { today: todayIn(settings.time_zone, now), settings, grants: ALL };
  return { items: rows.map((row) => summaryOf(recordOf(row, [], related(row)), context)), total };
};

async function relatedOf(organization_id: string, rows: Any[]): Promise<(row: Any) => Related> {
  const ids = idsOf(rows);
  const revised_ids = rows.flatMap(({ revises_id }) => revises_id ?? []);
  const [prints, emails, sources, targets, revisions, replaced] = await Promise.all([
    database('invoicing_prints')
      .where({ organization_id })
      .whereIn('document_id', ids)
      .select(
        'document_id',
        'status as pdf_status',
        'sha256 as pdf_sha256',
        'size as pdf_size',
        'rendered_at as pdf_rendered_at',
      ),
    database('invoicing_emails as email')
      .join('mails as mail', (join) =>
        join.on('mail.organization_id', 'email.organization_id').on('mail.id', 'email.mail_id'),
      )
      .where('email.organization_id', organization_id)
      .whereIn('email.document_id', ids)
      .orderBy('email.mail_id')
      .select(
        'email.document_id',
        'mail.status as email_status',
        'email.to as email_to',
        'mail.updated_at as email_at',
        'mail.error as email_error',
      ),
    database('invoicing_links')
      .where({ organization_id })
      .whereIn('target_id', ids)
      .orderBy('source_id')
      .select('target_id as document_id', 'source_type as type', 'source_id as id'),
    database('invoicing_links as link')
      .leftJoin('invoicing_documents as target', (join) =>
        join.on('target.organization_id', 'link.organization_id').on('target.id', 'link.target_id'),
      )
      .where('link.organization_id', organization_id)
      .whereIn('link.source_id', ids)
      .whereRaw("target.status IS DISTINCT FROM 'cancelled'")
      .orderBy('link.target_id')
      .select('link.source_id as document_id', 'link.target_type as type', 'link.target_id as id'),
    database('invoicing_documents')
      .where({ organization_id, status: 'draft' })
      .whereIn('revises_id', ids)
      .orderBy('id')
      .select('revises_id as document_id', 'id'),
    revised_ids.length === 0
      ? []
      : database('invoicing_documents')
          .where({ organization_id })
          .whereIn('id', revised_ids)
          .select('id', 'status', 'credited'),
  ]);
  const [prints_of, emails_of] = [partsOf(prints, 'document_id'), partsOf(emails, 'document_id')];
  const [sources_of, targets_of] = [partsOf(sources, 'document_id'), partsOf(targets, 'document_id')];
  const revisions_of = partsOf(revisions, 'document_id');
  const replaced_by = new Map(replaced.map((row: Any) => [row.id, row]));
  return ({ id, status, revises_id }) => {
    const [print] = prints_of(id);
    const email = emails_of(id).at(-1);
    return {
      ...NOTHING_RELATED,
      source: sources_of(id),
      converted_to: targets_of(id),
      open_revision_id: revisions_of(id)[0]?.id ?? null,
      replaced_has: status === 'draft' ? replacedHas(replaced_by.get(revises_id)) : null,
      ...(email && { email: emailOf(email) }),
      ...(print && { pdf: pdfOf(print) }),
    };
  };
}

function replacedHas(replaced: Any): Related['replaced_has'] {
  if (!replaced) return null;
  if (replaced.status === 'partially_paid' || replaced.status === 'paid') return 'payments';
  return replaced.credited === 0 ? null : 'credit_notes';
}
