import { countOldest, type Measure } from '../../platform/operators/measure.ts';

/** Queries for each upload status that wants a look; `updated_at` is when the last byte came, or the status. */
const uploads = (status: string) => countOldest('cloud_uploads', `status = '${status}'`, 'updated_at');

/** One row an organization. */
const bytes = (column: string) => `SELECT coalesce(sum(${column}), 0)::bigint AS value FROM cloud_usage`;

/** What operators see of the cloud. */
export const cloudMeasures: readonly Measure[] = [
  {
    name: 'cloud_used_bytes',
    title: 'Bytes used',
    help: 'Bytes of all versions of all files, the trash among them',
    unit: 'bytes',
    query: bytes('used_bytes'),
  },
  {
    name: 'cloud_reserved_bytes',
    title: 'Bytes reserved',
    help: 'Bytes that running uploads have room for',
    unit: 'bytes',
    query: bytes('reserved_bytes'),
  },
  {
    name: 'cloud_uploads_receiving',
    title: 'Uploads receiving',
    help: 'Resumable uploads that have not arrived',
    unit: 'count',
    age: 'its last byte',
    query: uploads('receiving'),
  },
  {
    name: 'cloud_uploads_completing',
    title: 'Uploads completing',
    help: 'Resumable uploads that have arrived and are made into files',
    unit: 'count',
    age: 'its last byte',
    query: uploads('completing'),
  },
  {
    name: 'cloud_uploads_failed',
    title: 'Uploads failed',
    help: 'Resumable uploads that failed and are not forgotten yet',
    unit: 'count',
    age: 'its failure',
    query: uploads('failed'),
  },
  {
    name: 'cloud_purges_waiting',
    title: 'Items to purge',
    help: 'Folders and files that were given up and are not purged yet, a folder with all in it as one',
    unit: 'count',
    age: 'it was given up',
    query: countOldest('cloud_items', 'is_purged', 'updated_at'),
  },
];
