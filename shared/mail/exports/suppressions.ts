import { column, type Exporter } from '../../platform/exports/exporter.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { suppressionList } from '../suppressions/queries.ts';
import { suppressionWords } from './words.ts';

const table = 'suppressions';

/** Addresses that must never be mailed again as a file. */
export const suppressionExport: Exporter = {
  name: 'mail.suppressions',
  scope: 'mail:read',
  title: '配信停止',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'email', 'text'),
    column(table, 'reason', 'text'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  japanese: { ...commonHeaders, email: 'メールアドレス', reason: '理由' },
  words: suppressionWords,
  list: suppressionList,
};
