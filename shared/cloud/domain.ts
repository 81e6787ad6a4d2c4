import { DAY } from '../kernel/days.ts';
import { domain } from '../platform/domain.ts';
import { expiry, HOUR } from '../platform/sweeps/expiry.ts';
import { cloudReferences } from './access/departments.ts';
import { cloudAuditSight } from './audit-sight.ts';
import { continueCopies } from './copies/orphans.ts';
import { reasonsOfCloud } from './failure-reasons.ts';
import { pruneVersions } from './files/prune.ts';
import { archiveFolderJob, completeUploadJob, copyRecordJob, emptyTrashJob, verifyFilesJob } from './jobs.ts';
import { cloudMeasures } from './operators/measures.ts';
import { purgeTrash } from './trash/purge.ts';
import { expireUploads } from './uploads/sweep.ts';
import { freeSilentReservations } from './usage/reservations.ts';
import { cloudWords } from './words.ts';

export const cloud = domain({
  name: 'cloud',
  title: 'Cloud',
  description: 'Folders and files with their hashes, versions, shares and a trash.',
  resources: {
    folders: { title: 'Folders', description: 'A tree of 32 levels, in which a folder can be restricted.' },
    files: { title: 'Files', description: 'Contents by their SHA-256, up and down by the rules of HTTP.' },
    versions: { title: 'Versions', description: 'What a file held before.' },
    uploads: { title: 'Resumable uploads', description: 'By tus 1.0.0: what a broken line stops goes on.' },
    shares: {
      title: 'Shares',
      description: 'Links by which people outside read a file or a folder.',
    },
    share_view: { title: 'What guests call', description: 'With the link of a share, without an account.' },
    trash: { title: 'Trash', description: 'What comes back by one call until it is purged.' },
    batch: { title: 'Many at once', description: 'Moves of many folders and files, all or none.' },
    usage: { title: 'Usage', description: 'What the organization keeps, and may keep.' },
    settings: { title: 'Settings of the cloud', description: 'Quota, trash, versions and shares.' },
  },
  failure_reasons: Object.values(reasonsOfCloud),
  sweeps: [
    expiry({
      table: 'cloud_copies',
      column: 'created_at',
      age: 30 * DAY,
      every: HOUR,
      description: {
        en: 'Removes what copies that were given up had been asked for, after 30 days',
        ja: '中止したコピーの依頼内容を、30日後に削除します',
      },
    }),
    {
      name: 'cloud_trash',
      description: {
        en: 'Purges what was given up, and what was in the trash long enough',
        ja: '完全な削除を指示されたものと、ゴミ箱の保存日数が過ぎたものを削除します',
      },
      every: 10_000,
      run: purgeTrash,
    },
    {
      name: 'cloud_versions',
      description: { en: 'Prunes old versions of files', ja: 'ファイルの古い版を整理します' },
      every: 60 * 60_000,
      run: pruneVersions,
    },
    {
      name: 'cloud_reservations',
      description: {
        en: 'Frees the room of uploads that are silent',
        ja: '途絶えたアップロードの容量を解放します',
      },
      every: 30_000,
      run: freeSilentReservations,
    },
    {
      name: 'cloud_uploads',
      description: {
        en: 'Ends resumable uploads a day after their last byte, and forgets ended ones after 7 days',
        ja: '再開できるアップロードを最後のバイトから1日後に終了し、7日後に記録を削除します',
      },
      every: 30_000,
      run: expireUploads,
    },
  ],
  measures: cloudMeasures,
  references: cloudReferences,
  orphans: { continues: [continueCopies] },
  words: cloudWords,
  records: { ja: 'フォルダー・ファイル', en: 'folders and files' },
  audit_log: {
    path: '/api/v1/cloud/audit-logs',
    about: 'the cloud',
    description:
      'Who changed what, from which value to which. Who does not see every folder is shown the changes of what they see now.',
    sight: cloudAuditSight,
  },
  guides: ['files-and-folders'],
  file_words: { フォルダー: 'folder' },
  jobs: [emptyTrashJob, archiveFolderJob, verifyFilesJob, copyRecordJob, completeUploadJob],
});
