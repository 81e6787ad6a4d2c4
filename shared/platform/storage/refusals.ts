import type { Sentence } from '../../kernel/sentences.ts';

/** Why the store of files refuses what it is asked, for operators; logs and jobs keep the English. */
export const refusalsOfStore = {
  cannot_write: (why: string) => ({
    en: `The store of files cannot write: ${why}.`,
    ja: `ファイルの保存先に書き込めません：${why}。`,
  }),
  cannot_read: (why: string) => ({
    en: `The store of files cannot read: ${why}.`,
    ja: `ファイルの保存先から読み取れません：${why}。`,
  }),
  lacks: (key: string) => ({
    en: `The store of files does not have ${key}: bring it back from a backup. npm run operators -- verify-files lists all that are missing.`,
    ja: `ファイルの保存先に ${key} がありません。バックアップから復元してください。npm run operators -- verify-files で不足しているファイルをすべて確認できます。`,
  }),
  answers_wrongly: (why: string) => ({
    en: `The store of files does not answer as it should: ${why}.`,
    ja: `ファイルの保存先が正しく応答しません：${why}。`,
  }),
} satisfies Record<string, Sentence>;
