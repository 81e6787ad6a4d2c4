import { countOldest, type Measure } from '../../platform/operators/measure.ts';

/** Queries for each upload status that wants a look; `updated_at` is when the last byte came, or the status. */
const uploads = (status: string) => countOldest('cloud_uploads', `status = '${status}'`, 'updated_at');

/** One row an organization. */
const bytes = (column: string) => `SELECT coalesce(sum(${column}), 0)::bigint AS value FROM cloud_usage`;

/** What operators see of the cloud. */
export const cloudMeasures: readonly Measure[] = [
  {
    name: 'cloud_used_bytes',
    title: { en: 'Bytes used', ja: '使用量' },
    help: 'Bytes of all versions of all files, the trash among them',
    unit: 'bytes',
    query: bytes('used_bytes'),
  },
  {
    name: 'cloud_reserved_bytes',
    title: { en: 'Bytes reserved', ja: '確保中の容量' },
    help: 'Bytes that running uploads have room for',
    unit: 'bytes',
    query: bytes('reserved_bytes'),
  },
  {
    name: 'cloud_uploads_receiving',
    title: { en: 'Uploads receiving', ja: '受信中のアップロード' },
    help: 'Resumable uploads that have not arrived',
    unit: 'count',
    age: { en: 'its last byte', ja: '最後のバイトから' },
    query: uploads('receiving'),
  },
  {
    name: 'cloud_uploads_completing',
    title: { en: 'Uploads completing', ja: '完了処理中のアップロード' },
    help: 'Resumable uploads that have arrived and are made into files',
    unit: 'count',
    age: { en: 'its last byte', ja: '最後のバイトから' },
    query: uploads('completing'),
  },
  {
    name: 'cloud_uploads_failed',
    title: { en: 'Uploads failed', ja: '失敗したアップロード' },
    help: 'Resumable uploads that failed and are not forgotten yet',
    unit: 'count',
    age: { en: 'its failure', ja: '失敗から' },
    query: uploads('failed'),
  },
  {
    name: 'cloud_purges_waiting',
    title: { en: 'Items to purge', ja: '完全削除を待つもの' },
    help: 'Folders and files that were given up and are not purged yet, a folder with all in it as one',
    unit: 'count',
    age: { en: 'it was given up', ja: '削除の指示から' },
    query: countOldest('cloud_items', 'is_purged', 'updated_at'),
  },
];
