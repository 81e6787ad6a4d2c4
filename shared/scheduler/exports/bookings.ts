import { column, type Exporter, joined } from '../../platform/exports/exporter.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { bookingList } from '../bookings/queries.ts';
import { bookingWords } from './words.ts';

const table = 'scheduler_bookings';

const hosts = `jsonb_array_elements_text("${table}".user_ids) WITH ORDINALITY AS host (user_id, place)
  JOIN users AS person ON person.id = host.user_id`;

const guest = (field: string) => column(table, `guest_${field}`, 'text', `"${table}".guest ->> '${field}'`);
const location = (field: string) =>
  column(table, `location_${field}`, 'text', `"${table}".location ->> '${field}'`);

/** The status at the moment of the export: a confirmed booking is completed and a pending one expired by the time. */
const STATUS = `CASE
  WHEN "${table}".status = 'confirmed' AND "${table}"."end" <= exported.at THEN 'completed'
  WHEN "${table}".status = 'pending' AND "${table}".pending_expires_at <= exported.at THEN 'expired'
  ELSE "${table}".status END`;

/** Bookings as a file. */
export const bookingExport: Exporter = {
  name: 'scheduler.bookings',
  scope: 'scheduler:read',
  title: '予約',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'external_id', 'text'),
    column(table, 'event_type_id', 'text'),
    column(table, 'title', 'text'),
    column(table, 'status', 'text', STATUS),
    column(table, 'start', 'time'),
    column(table, 'end', 'time'),
    column(
      table,
      'duration_minutes',
      'number',
      `(extract(epoch FROM "${table}"."end" - "${table}"."start") / 60)::integer`,
    ),
    guest('name'),
    guest('email'),
    guest('phone'),
    guest('time_zone'),
    guest('locale'),
    column(
      table,
      'additional_guests',
      'text',
      joined(
        'address',
        'place',
        `jsonb_array_elements_text("${table}".additional_guests) WITH ORDINALITY AS a (address, place)`,
      ),
    ),
    column(table, 'answers', 'text', `nullif("${table}".answers, '{}')::text`),
    column(table, 'host_ids', 'text', joined('host.user_id', 'host.place', hosts)),
    column(table, 'host_names', 'text', joined('person.name', 'host.place', hosts)),
    location('type'),
    location('label'),
    location('value'),
    column(table, 'source', 'text'),
    column(table, 'proposal_id', 'text'),
    column(table, 'session_id', 'text'),
    column(table, 'revision', 'number'),
    column(table, 'cancelled_at', 'time'),
    column(table, 'cancelled_by', 'text'),
    column(table, 'cancel_reason', 'text'),
    column(table, 'calendar_sync', 'text'),
    column(table, 'metadata', 'text'),
    column(table, 'created_by', 'text'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  japanese: {
    ...commonHeaders,
    event_type_id: 'イベントタイプID',
    title: '件名',
    status: '状態',
    start: '開始日時',
    end: '終了日時',
    duration_minutes: '所要時間（分）',
    guest_name: 'お客様名',
    guest_email: 'お客様のメールアドレス',
    guest_phone: 'お客様の電話番号',
    guest_time_zone: 'お客様のタイムゾーン',
    guest_locale: 'お客様の言語',
    additional_guests: '同席者',
    answers: '回答',
    host_ids: '担当者ID',
    host_names: '担当者',
    location_type: '場所の種類',
    location_label: '場所の名称',
    location_value: '場所',
    source: '受付方法',
    proposal_id: '提案ID',
    session_id: '開催回ID',
    revision: '変更回数',
    cancelled_at: 'キャンセル日時',
    cancelled_by: 'キャンセルした人',
    cancel_reason: 'キャンセル理由',
    calendar_sync: 'カレンダー連携',
  },
  words: bookingWords,
  list: (reader, filters, window) => {
    const list = bookingList(reader, filters, window);
    list.query.joinRaw('CROSS JOIN (SELECT ?::timestamptz AS at) AS exported', [reader.now.toISOString()]);
    return list;
  },
};
