import type { Sentence } from '../kernel/sentences.ts';

/** Why a job of the cloud failed; jobs keep the English. */
export const reasonsOfCloud = {
  too_many_items: (most: number, path_mebibytes: number) => ({
    en: `An archive has ${most} items at most, and ${path_mebibytes} MiB of paths, and the folder has more. Ask for the folders in it`,
    ja: `1つのZIPに入れられるのは${most}件、パスの合計で${path_mebibytes} MiBまでで、フォルダーの中身がそれを超えています。中のフォルダーごとに依頼してください`,
  }),
  folder_gone: () => ({ en: 'The folder is gone', ja: 'フォルダーがなくなっています' }),
  no_file_of_record: () => ({
    en: 'The file of the record could not be made',
    ja: 'コピーする書類のファイルを作成できませんでした',
  }),
} satisfies Record<string, Sentence>;
