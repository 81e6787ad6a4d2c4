import { column, type Exporter } from '../../platform/exports/exporter.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { type RecipientFilters, recipientList } from '../campaigns/recipients/queries.ts';
import { RecipientModel } from '../campaigns/recipients/record.ts';
import { recipientWords } from './words.ts';

const table = RecipientModel.tableName;

const bounce = (field: string, kind: 'text' | 'time' = 'text') =>
  column(table, `bounce_${field}`, kind, `"${table}".bounce_${field}`);

const truth = (name: string) =>
  column(table, name, 'text', `CASE WHEN "${table}".${name} THEN 'true' ELSE 'false' END`);

/** What a request keeps as the filters of an export. */
type ExportedRecipients = RecipientFilters & { campaign_id: string };

/** The recipients of a campaign as a file. */
export const recipientExport: Exporter = {
  name: 'mail.recipients',
  scope: 'mail:read',
  title: '配信結果',
  record: 'campaign_id',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'campaign_id', 'text'),
    column(table, 'contact_id', 'text'),
    column(table, 'email', 'text'),
    column(table, 'status', 'text'),
    column(table, 'reason', 'text'),
    column(table, 'attempts', 'number'),
    column(table, 'smtp_response', 'text'),
    column(table, 'message_id', 'text'),
    column(table, 'next_attempt_at', 'time'),
    column(table, 'sent_at', 'time'),
    bounce('class'),
    bounce('status'),
    bounce('diagnostic'),
    bounce('at', 'time'),
    column(table, 'complained_at', 'time'),
    column(table, 'unsubscribed_at', 'time'),
    truth('tracked'),
    column(table, 'opened_at', 'time'),
    column(table, 'clicked_at', 'time'),
  ],
  japanese: {
    ...commonHeaders,
    campaign_id: 'キャンペーンID',
    contact_id: '連絡先ID',
    email: 'メールアドレス',
    status: '状態',
    reason: '理由',
    attempts: '送信回数',
    smtp_response: 'サーバーの応答',
    message_id: 'メッセージID',
    next_attempt_at: '次回送信日時',
    sent_at: '送信日時',
    bounce_class: 'バウンスの種類',
    bounce_status: 'バウンスの状態コード',
    bounce_diagnostic: 'バウンスの内容',
    bounce_at: 'バウンス日時',
    complained_at: '迷惑メール報告日時',
    unsubscribed_at: '配信停止日時',
    tracked: '計測',
    opened_at: '開封日時',
    clicked_at: 'クリック日時',
  },
  words: recipientWords,
  list(reader, filters, window) {
    const { campaign_id, ...asked } = filters as ExportedRecipients;
    return recipientList(reader, campaign_id, asked, window);
  },
};
