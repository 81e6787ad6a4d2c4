import type { Sentence } from '../kernel/sentences.ts';

/** Why a job of attendance failed or waits; jobs keep the English. */
export const reasonsOfAttendance = {
  slack_refuses: (code: string) => ({
    en: `Slack refuses the call: ${code}`,
    ja: `Slackが呼び出しを拒否しました：${code}`,
  }),
  slack_waits: () => ({ en: 'Slack asks to wait', ja: 'Slackから、しばらく待つように求められています' }),
  slack_failed: (words: string) => ({ en: `Slack: ${words}`, ja: `Slackを呼び出せませんでした：${words}` }),
  slack_answers: (status: number) => ({
    en: `Slack answers with status ${status}`,
    ja: `Slackがステータス ${status} を返しました`,
  }),
  slack_not_understood: () => ({
    en: 'Slack answers what its reference does not know',
    ja: 'Slackの応答が仕様にないものでした',
  }),
  slack_not_connected: () => ({
    en: 'Slack is not connected any more, or this process lacks the key that its token is encrypted with: see SECRETS_KEY',
    ja: 'Slackの連携が解除されたか、トークンを復号する鍵がこのプロセスにありません。SECRETS_KEY を確認してください',
  }),
  recalculates: () => ({ en: 'Another recalculation runs', ja: '別の再計算が終わるのを待っています' }),
  no_sheets: () => ({
    en: 'Nobody is left of whom there is a page',
    ja: '出力する対象のメンバーがいなくなりました',
  }),
} satisfies Record<string, Sentence>;
