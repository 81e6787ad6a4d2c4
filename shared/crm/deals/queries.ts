import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { isCompany, isContact } from '../aliases.ts';
import type { StageType } from '../stage-types.ts';
import { type Deal, DealModel, dealKind } from './record.ts';
import { type DealRow, type DealStage, dealColumns, dealOf, dealStageColumns, linksOf } from './rows.ts';

export type DealFilters = LookUps & {
  search?: string;
  pipeline_id?: string;
  stage_id?: string;
  status?: readonly StageType[];
  company_id?: string;
  contact_id?: string;
  owner_id?: string;
  tag_id?: string;
};

/** The deals that the filters leave. */
export function dealList(reader: Reader, filters: DealFilters, window: Window): ListQuery {
  return {
    query: filtered(reader, filters),
    table: DealModel.tableName,
    columns: dealColumns,
    prefix: 'deal',
    sorts: {
      name: 'sort_name',
      amount: 'amount',
      expected_close_date: { column: 'expected_close_date', nullable: true },
      probability: 'probability',
    },
    window,
    is_filtered: isFiltered({ ...filters, search: undefined }),
    counted: { table: DealModel.tableName },
    look_ups: { kind: dealKind, asked: filters },
    search: filters.search === undefined ? null : searchTerm(filters.search),
  };
}

/** A window of the deals that the filters leave. */
export async function dealPage(reader: Reader, filters: DealFilters, window: Window): Promise<Page<Deal>> {
  const page = await pageOf<DealRow>(reader, dealList(reader, filters, window));
  const ids = page.rows.map(({ id }) => id);
  const [links, stages] = await Promise.all([linksOf(reader, ids), stagesById(reader, page.rows)]);
  // A stage may be removed between the two statements; its deals stand elsewhere then.
  if (!page.rows.every(({ stage_id }) => stages.has(stage_id))) return dealPage(reader, filters, window);
  const rows = page.rows.map((row) => dealOf(row, stages.get(row.stage_id)!, links(row.id), reader.now));
  return { ...page, rows };
}

function filtered(reader: Reader, filters: DealFilters) {
  const { organization_id, connection } = reader;
  const query = DealModel.table(reader);
  for (const field of ['pipeline_id', 'stage_id', 'owner_id'] as const) {
    if (filters[field]) query.where(`crm_deals.${field}`, filters[field]);
  }
  if (filters.status) query.whereIn('crm_deals.status', filters.status);
  if (filters.company_id) query.whereRaw(...isCompany(reader, 'crm_deals', filters.company_id));
  if (filters.contact_id) {
    const linked = connection.from('crm_deal_contacts').where({ organization_id }).select('deal_id');
    linked.whereRaw(...isContact(reader, 'crm_deal_contacts', filters.contact_id));
    query.whereIn('crm_deals.id', linked);
  }
  if (filters.tag_id) {
    const tagged = connection
      .from('crm_tag_assignments')
      .where({ organization_id, tag_id: filters.tag_id })
      .select('deal_id');
    query.whereIn('crm_deals.id', tagged.whereNotNull('deal_id'));
  }
  return query;
}

async function stagesById(reader: Reader, rows: readonly DealRow[]): Promise<Map<string, DealStage>> {
  if (rows.length === 0) return new Map();
  const stages = await reader.connection.query<DealStage>(
    `SELECT ${dealStageColumns.join(', ')} FROM crm_stages WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
    [reader.organization_id, [...new Set(rows.map(({ stage_id }) => stage_id))]],
  );
  return new Map(stages.map((stage) => [stage.id, stage]));
}
