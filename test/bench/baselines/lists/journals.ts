import { JournalModel } from '../../../../shared/accounting/journals/record.ts';
import { journalColumns, journalOf } from '../../../../shared/accounting/journals/rows.ts';
import { emptyMap } from '../../../../shared/accounting/settings/account-map.ts';
import { type Any, database } from '../bare-server.ts';
import { ALL, idsOf, type List, pageAndTotal, partsOf } from './page.ts';

const lineColumns = [
  'line.journal_id',
  'line.id',
  'line.line',
  'line.account_id',
  'account.code as account_code',
  'account.name as account_name',
  'line.debit',
  'line.credit',
  'line.tax_category',
  'line.company_id',
  'line.department_id',
  'line.description',
];

/** Entries with their lines, the accounts of these, and their evidence. */
export const journals: List = async (asked) => {
  const { organization_id } = asked;
  const [[rows, total], context] = await Promise.all([
    pageAndTotal(JournalModel.query().where({ organization_id }), journalColumns, asked),
    contextOf(asked),
  ]);
  const ids = idsOf(rows);
  const [lines, evidence] = await Promise.all([
    database('accounting_lines as line')
      .join('accounting_accounts as account', (join) =>
        join.on('account.organization_id', 'line.organization_id').on('account.id', 'line.account_id'),
      )
      .where('line.organization_id', organization_id)
      .whereIn('line.journal_id', ids)
      .orderBy('line.line')
      .select(lineColumns),
    database('accounting_document_links')
      .where({ organization_id })
      .whereIn('journal_id', ids)
      .orderBy('document_id')
      .select('journal_id', 'document_id'),
  ]);
  const [lines_of, evidence_of] = [partsOf(lines, 'journal_id'), partsOf(evidence, 'journal_id')];
  const items = rows.map((row) => {
    const document_ids = evidence_of(row.id).map(({ document_id }) => document_id);
    return journalOf({ row, lines: lines_of(row.id), document_ids }, context);
  });
  return { items, total };
};

async function contextOf({ organization_id, user_id }: Any): Promise<Any> {
  const [kept, years, retention] = await Promise.all([
    database('accounting_settings').where({ organization_id }).first('approval', 'account_map'),
    database('accounting_fiscal_years')
      .where({ organization_id })
      .orderBy('start_date')
      .select('start_date', 'end_date'),
    database('accounting_retention_rules')
      .where({ organization_id })
      .orderBy('since')
      .select('since', 'years'),
  ]);
  const { required: approval_required, four_eyes } = kept?.approval ?? { required: false, four_eyes: true };
  return {
    settings: { account_map: kept?.account_map ?? emptyMap },
    asking: { grants: ALL, user_id, approval_required, four_eyes },
    years,
    retention,
  };
}
