import { ContactPatch } from '../../contacts/record.ts';
import { DealPatch } from '../../deals/record.ts';
import { PipelinePatch, StageInput } from '../../pipelines/record.ts';
import { byField, dayText, decimalText, narrow, wholeNumber } from '../cell.ts';
import { companyFieldsOf } from '../company-columns.ts';
import { commonFields, each, field, idField, type RecordField } from '../field.ts';

const shape = DealPatch.shape;

/** What a column of a file of deals can be. */
export const dealFields: readonly RecordField[] = [
  idField('deal'),
  field(
    'external_id',
    { ja: '外部ID', en: 'External ID', aliases: ['案件番号', '案件コード', '商談番号', 'deal id'] },
    byField(shape.external_id),
  ),
  field(
    'name',
    { ja: '案件名', en: 'Name', aliases: ['商談名', '件名', 'deal', 'deal name'] },
    byField(shape.name),
  ),
  field(
    'pipeline',
    { ja: 'パイプライン', en: 'Pipeline', aliases: ['pipeline name'], target: 'stage_id' },
    byField(PipelinePatch.shape.name),
  ),
  field(
    'stage',
    {
      ja: 'ステージ',
      en: 'Stage',
      aliases: ['フェーズ', '進捗', 'stage_slug', 'stage name', 'deal stage', 'phase'],
      target: 'stage_id',
    },
    byField(StageInput.shape.name),
  ),
  field(
    'pipeline_id',
    { ja: 'パイプラインID', en: 'Pipeline ID', target: 'stage_id' },
    byField(shape.pipeline_id),
  ),
  field('stage_id', { ja: 'ステージID', en: 'Stage ID' }, byField(shape.stage_id)),
  field(
    'amount',
    { ja: '金額', en: 'Amount', aliases: ['受注金額', '見込金額', '売上金額', 'value'] },
    byField(shape.amount, decimalText),
  ),
  field(
    'currency',
    { ja: '通貨', en: 'Currency', target: 'amount' },
    byField(shape.currency, (cell) => narrow(cell).toUpperCase()),
  ),
  field(
    'probability',
    { ja: '確度', en: 'Probability', aliases: ['受注確度', '確率'] },
    byField(shape.probability, wholeNumber('%')),
  ),
  field(
    'expected_close_date',
    {
      ja: '受注予定日',
      en: 'Expected close date',
      aliases: ['完了予定日', 'クローズ予定日', 'close date', '受注見込日'],
    },
    byField(shape.expected_close_date, dayText),
  ),
  ...companyFieldsOf(shape.company_id),
  field(
    'contact_ids',
    { ja: '連絡先ID', en: 'Contact IDs' },
    each(byField(shape.contact_ids.unwrap().element)),
  ),
  field(
    'contact_external_ids',
    { ja: '連絡先の外部ID', en: 'Contact external IDs', aliases: ['担当顧客コード'], target: 'contact_ids' },
    each(byField(ContactPatch.shape.external_id)),
  ),
  field(
    'contact_emails',
    { ja: '連絡先メールアドレス', en: 'Contact e-mails', aliases: ['contact email'], target: 'contact_ids' },
    each(byField(ContactPatch.shape.email, narrow)),
  ),
  ...commonFields(shape.owner_id),
  field('lost_reason', { ja: '失注理由', en: 'Lost reason' }, byField(shape.lost_reason)),
  field(
    'source',
    { ja: '流入元', en: 'Source', aliases: ['きっかけ', 'リードソース', 'lead source'] },
    byField(shape.source),
  ),
];
