import {
  byField,
  dayText,
  decimalText,
  narrow,
  wholeNumber,
} from '../../../platform/imports/reading/cell.ts';
import { ContactPatch } from '../../contacts/record.ts';
import { DealPatch } from '../../deals/record.ts';
import { PipelinePatch, StageInput } from '../../pipelines/record.ts';
import { companyFieldsOf } from '../company-columns.ts';
import { commonFields, each, field, idField, ownFields, type RecordField } from '../field.ts';

const shape = DealPatch.shape;
const own = ownFields(shape);

/** What a column of a file of deals can be. */
export const dealFields: readonly RecordField[] = [
  idField('deal'),
  own('external_id', {
    ja: '外部ID',
    en: 'External ID',
    aliases: ['案件番号', '案件コード', '商談番号', 'deal id'],
  }),
  own('name', { ja: '案件名', en: 'Name', aliases: ['商談名', '件名', 'deal', 'deal name'] }),
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
  own('pipeline_id', { ja: 'パイプラインID', en: 'Pipeline ID', target: 'stage_id' }),
  own('stage_id', { ja: 'ステージID', en: 'Stage ID' }),
  own(
    'amount',
    { ja: '金額', en: 'Amount', aliases: ['受注金額', '見込金額', '売上金額', 'value'] },
    decimalText,
  ),
  own('currency', { ja: '通貨', en: 'Currency', target: 'amount' }, (cell) => narrow(cell).toUpperCase()),
  own('probability', { ja: '確度', en: 'Probability', aliases: ['受注確度', '確率'] }, wholeNumber('%')),
  own(
    'expected_close_date',
    {
      ja: '受注予定日',
      en: 'Expected close date',
      aliases: ['完了予定日', 'クローズ予定日', 'close date', '受注見込日'],
    },
    dayText,
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
  own('lost_reason', { ja: '失注理由', en: 'Lost reason' }),
  own('source', { ja: '流入元', en: 'Source', aliases: ['きっかけ', 'リードソース', 'lead source'] }),
];
