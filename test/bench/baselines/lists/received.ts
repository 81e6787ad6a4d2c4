import { defaultSettings } from '../../../../shared/invoicing/settings/defaults.ts';
import { todayIn } from '../../../../shared/kernel/days.ts';
import { receivedColumns } from '../../../../shared/received/documents/columns.ts';
import { NO_INPUT_TAX, NO_MATCH } from '../../../../shared/received/documents/fields.ts';
import { ReceivedModel } from '../../../../shared/received/documents/record.ts';
import { summaryOfReceived } from '../../../../shared/received/documents/shown.ts';
import { defaultReceiveSettings } from '../../../../shared/received/settings/queries.ts';
import { type Any, database } from '../bare-server.ts';
import { ALL, idsOf, type List, pageAndTotal, partsOf } from './page.ts';

/** Documents that are named as alike of one. */
const MOST_ALIKE = 20;

/**
 * Invoices of suppliers with their files, payments, entries and documents alike. What is computed from orders that they answer is left
 * out: none of them has one.
 */
export const receivedInvoices: List = async (asked) => {
  const { organization_id } = asked;
  const query = ReceivedModel.query().where({ organization_id, kind: 'invoice' });
  const [[rows, total], context] = await Promise.all([
    pageAndTotal(query, receivedColumns, asked),
    contextOf(asked),
  ]);
  const parts = await partsOfInvoices(organization_id, idsOf(rows));
  const items = rows.map((row) => {
    const document: Any = {
      ...row,
      input_tax: row.input_tax ?? NO_INPUT_TAX,
      match: row.match ?? NO_MATCH,
      billed_by: null,
      ...parts(row.id),
    };
    return summaryOfReceived(document, context);
  });
  return { items, total };
};

async function contextOf({ organization_id, user_id, now }: Any): Promise<Any> {
  const [settings, years, retention] = await Promise.all([
    database('organizations as organization')
      .leftJoin('received_settings as received', 'received.organization_id', 'organization.id')
      .leftJoin('invoicing_settings as invoicing', 'invoicing.organization_id', 'organization.id')
      .where('organization.id', organization_id)
      .first('received.four_eyes', 'invoicing.time_zone'),
    database('accounting_fiscal_years')
      .where({ organization_id })
      .orderBy('start_date')
      .select('start_date', 'end_date'),
    database('accounting_retention_rules')
      .where({ organization_id })
      .orderBy('since')
      .select('since', 'years'),
  ]);
  const today = todayIn(settings.time_zone ?? defaultSettings.time_zone, now);
  const four_eyes = settings.four_eyes ?? defaultReceiveSettings.four_eyes;
  return { today, settings: { four_eyes }, years, retention, grants: ALL, user_id };
}

async function partsOfInvoices(organization_id: string, ids: string[]) {
  const [files, payments, sources, targets, journals, alike] = await Promise.all([
    database('received_files')
      .where({ organization_id })
      .whereIn('document_id', ids)
      .orderBy('position')
      .select(
        'document_id',
        'id',
        'file_name',
        'content_type',
        'size_bytes',
        'sha256',
        'uploaded_at',
        'uploaded_by',
        'superseded_by',
      ),
    database('received_payments')
      .where({ organization_id })
      .whereIn('document_id', ids)
      .orderBy(['paid_on', 'id'])
      .select(
        'document_id',
        'id',
        database.raw("'received.payment' AS object"),
        'paid_on',
        'paid_at',
        'amount',
        'method',
        'fee_amount',
        'fee_borne_by',
        'transferred_amount',
        'note',
        'external_id',
        'metadata',
        'created_by',
        'created_at',
      ),
    database('invoicing_links')
      .where({ organization_id })
      .whereIn('target_id', ids)
      .orderBy('source_id')
      .select('target_id as document_id', 'source_type as type', 'source_id as id'),
    database('invoicing_links')
      .where({ organization_id })
      .whereIn('source_id', ids)
      .orderBy('target_id')
      .select('source_id as document_id', 'target_type as type', 'target_id as id'),
    database('accounting_journals')
      .where({ organization_id })
      .whereIn('source_id', ids)
      .orderBy('id')
      .select('source_id as document_id', 'id'),
    alikeTo(organization_id, ids),
  ]);
  const [files_of, payments_of] = [partsOf(files, 'document_id'), partsOf(payments, 'document_id')];
  const [sources_of, targets_of] = [partsOf(sources, 'document_id'), partsOf(targets, 'document_id')];
  const [journals_of, alike_of] = [partsOf(journals, 'document_id'), partsOf(alike, 'document_id')];
  return (id: string) => ({
    files: files_of(id),
    payments: payments_of(id),
    source: sources_of(id),
    converted_to: targets_of(id),
    journal_ids: idsOf(journals_of(id)),
    duplicates: idsOf(alike_of(id)).slice(0, MOST_ALIKE),
  });
}

/** Documents of the same sender with the same total within 7 days. */
function alikeTo(organization_id: string, ids: string[]) {
  return database('received_documents as own')
    .join('received_documents as other', (join) =>
      join
        .on('other.organization_id', 'own.organization_id')
        .on('other.kind', 'own.kind')
        .on('other.company_key', 'own.company_key')
        .on('other.total', 'own.total')
        .on('other.id', '<>', 'own.id'),
    )
    .where('own.organization_id', organization_id)
    .whereIn('own.id', ids)
    .whereNot('own.status', 'rejected')
    .whereNot('other.status', 'rejected')
    .whereNot('other.total', 0)
    .whereRaw(
      `coalesce(other.issue_date, other.received_on) BETWEEN
         coalesce(own.issue_date, own.received_on) - 7 AND coalesce(own.issue_date, own.received_on) + 7`,
    )
    .orderBy('other.id')
    .select('own.id as document_id', 'other.id');
}
