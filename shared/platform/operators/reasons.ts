import type { Text } from '../../kernel/language.ts';
import { type Sentence, translator } from '../../kernel/sentences.ts';
import type { Domain } from '../domain.ts';
import { pointless } from '../mailer/pointless.ts';

/**
 * What the service itself says of a job, mail or import that failed. Rows keep the English, and what a foreign server said stays in
 * its own words.
 */
export const reasons = {
  answer_lost: () => ({
    en: 'The text was handed over, and what the mail server answered was lost',
    ja: '本文を渡しましたが、メールサーバーの応答を受け取れませんでした',
  }),
  worker_ended: () => ({
    en: 'The worker ended after it had handed the text over, before the mail server had answered',
    ja: '本文を渡したあと、メールサーバーの応答の前にワーカーが終了しました',
  }),
  nothing_heard: (words: string) => ({
    en: `Nothing was heard after the text was handed over: ${words}`,
    ja: `本文を渡したあと、応答がありませんでした：${words}`,
  }),
  given_up: (tries: number, words: string) => ({
    en: `Given up after ${tries} tries: ${words}`,
    ja: `${tries}回試して中止しました：${words}`,
  }),
  server_answered: (status: number, command: string) => ({
    en: `The mail server answered ${status} to ${command}`,
    ja: `メールサーバーが ${command} に ${status} と応答しました`,
  }),
  unreachable: (code: string) => ({
    en: `The mail server cannot be reached (${code})`,
    ja: `メールサーバーに接続できません（${code}）`,
  }),
  answered_early: () => ({
    en: 'The server answered before it had the mail',
    ja: 'メールを渡し終える前に、メールサーバーが応答しました',
  }),
  no_text: () => ({
    en: 'This release has no text for the mail',
    ja: 'このリリースには、このメールの文面がありません',
  }),
  no_handler: () => ({
    en: 'This release has no handler for the job',
    ja: 'このリリースには、このジョブの処理がありません',
  }),
  too_long: (milliseconds: number) => ({
    en: `It took longer than ${milliseconds} ms`,
    ja: `処理が${milliseconds}ミリ秒を超えました`,
  }),
  died: (deaths: number) => ({
    en: `The process ended ${deaths} times while it ran this job`,
    ja: `このジョブの処理中に、プロセスが${deaths}回終了しました`,
  }),
  work_died: (deaths: number) => ({
    en: `The work has ended its process ${deaths} times, perhaps for want of memory, and is given up`,
    ja: `処理中にプロセスが${deaths}回終了したため、中止しました。メモリ不足の可能性があります`,
  }),
  given_up_after_one: (reason: string) => ({
    en: `${reason}; given up after one try`,
    ja: `${reason}（1回試して中止）`,
  }),
  given_up_after: (reason: string, tries: number) => ({
    en: `${reason}; given up after ${tries} tries`,
    ja: `${reason}（${tries}回試して中止）`,
  }),
  unexpected_after_one: () => ({
    en: 'Given up after one try because of an error that an operator can look up',
    ja: '予期しないエラーのため、1回試して中止しました。詳細は管理者が確認できます',
  }),
  unexpected_after: (tries: number) => ({
    en: `Given up after ${tries} tries because of an error that an operator can look up`,
    ja: `予期しないエラーのため、${tries}回試して中止しました。詳細は管理者が確認できます`,
  }),
  file_missing: () => ({
    en: 'The file of the import is gone',
    ja: 'インポートのファイルがなくなっています',
  }),
  too_many_rows: (rows: number) => ({
    en: `The file has more than ${rows} rows`,
    ja: `ファイルの行数が${rows}行を超えています`,
  }),
  record_too_long: (row: number, rows: number) => ({
    en: `The record that begins in row ${row} has more than ${rows} rows or 16 MiB: tell records apart in the file`,
    ja: `${row}行目から始まるデータが${rows}行または16 MiBを超えています。ファイルの中でデータの区切りが分かるようにしてください`,
  }),
  scattered_too_long: (row: number, rows: number) => ({
    en: `Of what row ${row} is about the file has more than ${rows} rows or 16 MiB`,
    ja: `${row}行目と同じデータの行が、ファイルに${rows}行または16 MiBを超えてあります`,
  }),
} satisfies Record<string, Sentence>;

/** What says in both languages why something failed, by the English that is kept. */
export function reasonsOf(domains: readonly Pick<Domain, 'pointless_mails'>[]): (kept: string) => Text {
  const told = [
    ...Object.values(pointless),
    ...domains.flatMap(({ pointless_mails = [] }) => pointless_mails),
  ];
  return translator([
    ...told.map(
      (text): Sentence =>
        () =>
          text,
    ),
    ...Object.values(reasons),
  ]);
}
