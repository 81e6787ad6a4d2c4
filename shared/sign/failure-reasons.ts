import type { Sentence } from '../kernel/sentences.ts';

/** Why a job of signing failed; jobs keep the English. */
export const reasonsOfSign = {
  not_sealed: (code: string) => ({
    en: `The document was not sealed: ${code}`,
    ja: `書類を封印できませんでした：${code}`,
  }),
  not_renewed: () => ({
    en: 'The stamp was not renewed',
    ja: 'タイムスタンプを更新できませんでした',
  }),
  no_authority: () => ({
    en: 'SIGN_TSA_URL is not set: stamps cannot be renewed',
    ja: 'SIGN_TSA_URL が設定されていないため、タイムスタンプを更新できません',
  }),
  no_stamp: () => ({
    en: 'The time-stamping authority gave no stamp',
    ja: 'タイムスタンプ局からタイムスタンプを受け取れませんでした',
  }),
  other_file: () => ({
    en: 'The stored file is not the one that was sealed',
    ja: '保存されているファイルが、封印したファイルと一致しません',
  }),
  damaged: () => ({
    en: 'The upload is not what was sent',
    ja: '保存されているファイルが、アップロードされたものと一致しません',
  }),
} satisfies Record<string, Sentence>;
