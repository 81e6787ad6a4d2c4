import { DAY } from '../kernel/days.ts';
import { domain } from '../platform/domain.ts';
import { expiry, HOUR } from '../platform/sweeps/expiry.ts';
import { cloudReferences } from './access/departments.ts';
import { cloudAuditSight } from './audit-sight.ts';
import { continueCopies } from './copies/orphans.ts';
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
  sweeps: [
    expiry({
      table: 'cloud_copies',
      column: 'created_at',
      age: 30 * DAY,
      every: HOUR,
      description: 'Removes what copies that were given up had been asked for, after 30 days',
    }),
    {
      name: 'cloud_trash',
      description: 'Purges what was given up, and what was in the trash long enough',
      every: 10_000,
      run: purgeTrash,
    },
    {
      name: 'cloud_versions',
      description: 'Prunes old versions of files',
      every: 60 * 60_000,
      run: pruneVersions,
    },
    {
      name: 'cloud_reservations',
      description: 'Frees the room of uploads that are silent',
      every: 30_000,
      run: freeSilentReservations,
    },
    {
      name: 'cloud_uploads',
      description: 'Ends resumable uploads a day after their last byte, and forgets ended ones after 7 days',
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
