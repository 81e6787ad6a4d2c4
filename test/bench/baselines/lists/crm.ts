import { companyColumns, companyOf } from '../../../../shared/crm/companies/queries.ts';
import { CompanyModel } from '../../../../shared/crm/companies/record.ts';
import { DealModel } from '../../../../shared/crm/deals/record.ts';
import { dealColumns, dealOf, dealStageColumns } from '../../../../shared/crm/deals/rows.ts';
import { database } from '../bare-server.ts';
import { idsOf, type List, pageAndTotal, partsOf } from './page.ts';
import { tagsOf } from './tags.ts';

export const companies: List = async (asked) => {
  const { organization_id } = asked;
  const [rows, total] = await pageAndTotal(
    CompanyModel.query().where({ organization_id }),
    companyColumns,
    asked,
  );
  const tags = await tagsOf('company', organization_id, idsOf(rows));
  return { items: rows.map((row) => companyOf(row, tags(row.id))), total };
};

export const deals: List = async (asked) => {
  const { organization_id, now } = asked;
  const [rows, total] = await pageAndTotal(DealModel.query().where({ organization_id }), dealColumns, asked);
  const ids = idsOf(rows);
  const stage_ids = [...new Set(rows.map(({ stage_id }) => stage_id))];
  const [stages, tags, contacts] = await Promise.all([
    database('crm_stages').where({ organization_id }).whereIn('id', stage_ids).select(dealStageColumns),
    tagsOf('deal', organization_id, ids),
    database('crm_deal_contacts')
      .where({ organization_id })
      .whereIn('deal_id', ids)
      .orderBy(['sort_order', 'contact_id'])
      .select('deal_id', 'contact_id'),
  ]);
  const stage_of = new Map(stages.map((stage) => [stage.id, stage]));
  const contacts_of = partsOf(contacts, 'deal_id');
  const items = rows.map((row) => {
    const contact_ids = contacts_of(row.id).map(({ contact_id }) => contact_id);
    return dealOf(row, stage_of.get(row.stage_id), { tags: tags(row.id), contact_ids }, now);
  });
  return { items, total };
};
