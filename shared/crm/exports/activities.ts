import { column, type Exporter } from '../../platform/exports/exporter.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { activityList } from '../activities/queries.ts';
import { ofReferred } from './reference.ts';
import { activityWords } from './words.ts';

const table = 'crm_activities';

/** Activities as a file. */
export const activityExport: Exporter = {
  name: 'crm.activities',
  scope: 'crm:read',
  title: '活動',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'external_id', 'text'),
    column(table, 'type', 'text'),
    column(table, 'content', 'text'),
    column(table, 'occurred_at', 'time'),
    column(table, 'duration_minutes', 'number'),
    column(table, 'due_at', 'time'),
    column(table, 'done_at', 'time'),
    column(table, 'company_id', 'text'),
    column(table, 'company_name', 'text', ofReferred(table, 'company_id', 'crm_companies', 'name')),
    column(table, 'contact_id', 'text'),
    column(table, 'contact_name', 'text', ofReferred(table, 'contact_id', 'crm_contacts', 'full_name')),
    column(table, 'deal_id', 'text'),
    column(table, 'deal_name', 'text', ofReferred(table, 'deal_id', 'crm_deals', 'name')),
    column(table, 'metadata', 'text'),
    column(table, 'created_by', 'text'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  japanese: {
    ...commonHeaders,
    type: '種類',
    content: '内容',
    occurred_at: '日時',
    duration_minutes: '所要時間（分）',
    due_at: '期限',
    done_at: '完了日時',
    company_id: '会社ID',
    company_name: '会社名',
    contact_id: '連絡先ID',
    contact_name: '連絡先名',
    deal_id: '案件ID',
    deal_name: '案件名',
  },
  words: activityWords,
  list: activityList,
};
