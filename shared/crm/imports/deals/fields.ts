import {
  byField,
  dayText,
  decimalText,
  expected,
  narrow,
  wholeNumber,
} from '../../../platform/imports/reading/cell.ts';
import { wideKana } from '../../../platform/imports/reading/normal-forms.ts';
import { ContactPatch } from '../../contacts/record.ts';
import { DealPatch } from '../../deals/record.ts';
import { PipelinePatch, StageInput } from '../../pipelines/record.ts';
import { companyFieldsOf } from '../company-columns.ts';
import { commonFields, each, field, idField, ownFields, type RecordField, withHeaders } from '../field.ts';
import { dealHeaders } from './headers.ts';

const shape = DealPatch.shape;
const own = ownFields(shape);

/** What a column of a file of deals can be. */
export const dealFields: readonly RecordField[] = withHeaders(
  [
    idField('deal'),
    own('external_id', {
      ja: '外部ID',
      en: 'External ID',
    }),
    own('name', { ja: '案件名', en: 'Name' }),
    field(
      'pipeline',
      { ja: 'パイプライン', en: 'Pipeline', target: 'stage_id' },
      byField(PipelinePatch.shape.name),
    ),
    field(
      'stage',
      {
        ja: 'ステージ',
        en: 'Stage',
        target: 'stage_id',
      },
      byField(StageInput.shape.name),
    ),
    own('pipeline_id', { ja: 'パイプラインID', en: 'Pipeline ID', target: 'stage_id' }),
    own('stage_id', { ja: 'ステージID', en: 'Stage ID' }),
    own('amount', { ja: '金額', en: 'Amount' }, decimalText, expected.number),
    own('currency', { ja: '通貨', en: 'Currency', target: 'amount' }, (cell) => narrow(cell).toUpperCase()),
    own('probability', { ja: '確度', en: 'Probability' }, wholeNumber('%'), expected.whole),
    own(
      'expected_close_date',
      {
        ja: '受注予定日',
        en: 'Expected close date',
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
      { ja: '連絡先の外部ID', en: 'Contact external IDs', target: 'contact_ids' },
      each(byField(ContactPatch.shape.external_id)),
    ),
    field(
      'contact_emails',
      { ja: '連絡先メールアドレス', en: 'Contact e-mails', target: 'contact_ids' },
      each(byField(ContactPatch.shape.email, narrow)),
    ),
    ...commonFields(shape.owner_id),
    own('lost_reason', { ja: '失注理由', en: 'Lost reason' }),
    own('source', { ja: '流入元', en: 'Source' }),
  ],
  dealHeaders,
  { name: wideKana, company_name: wideKana },
);
