import type { Sentence } from '../kernel/sentences.ts';

/** Why a job or a schedule of mail failed or waits; jobs keep the English. */
export const reasonsOfMail = {
  waits_for_limits: () => ({
    en: 'The campaign waits for its limits',
    ja: 'キャンペーンは送信数の上限のため待っています',
  }),
  waits_for_recipients: () => ({
    en: 'The campaign waits for recipients to be tried again',
    ja: 'キャンペーンは再送の時刻を待っています',
  }),
  no_server: () => ({ en: 'The mail server cannot be reached', ja: 'メールサーバーに接続できません' }),
  not_confirmed: (status: number) => ({
    en: `A subscription was not confirmed: ${status}`,
    ja: `通知の購読を確認できませんでした：${status}`,
  }),
  list_deleted: () => ({ en: 'The list was deleted meanwhile', ja: 'リストが削除されました' }),
  mailbox_not_opened: (why: string) => ({
    en: `The mailbox of BOUNCE_MAILBOX_URL cannot be opened: ${why}`,
    ja: `BOUNCE_MAILBOX_URL のメールボックスを開けません：${why}`,
  }),
  mailbox_without_folder: (folder: string, why: string) => ({
    en: `The mailbox of BOUNCE_MAILBOX_URL has no folder ${folder}: ${why}`,
    ja: `BOUNCE_MAILBOX_URL のメールボックスにフォルダー ${folder} がありません：${why}`,
  }),
  mailbox_not_read: (why: string) => ({
    en: `The mailbox of BOUNCE_MAILBOX_URL cannot be read: ${why}`,
    ja: `BOUNCE_MAILBOX_URL のメールボックスを読み取れません：${why}`,
  }),
  mailbox_not_changed: (why: string) => ({
    en: `The mailbox of BOUNCE_MAILBOX_URL lets no mail be moved: ${why}`,
    ja: `BOUNCE_MAILBOX_URL のメールボックスでメールを移動できません：${why}`,
  }),
  sign_in_refused: () => ({ en: 'the sign-in is refused', ja: 'サインインが拒否されました' }),
} satisfies Record<string, Sentence>;
