import { outageTexts } from '../../db/outage.ts';
import type { Text } from '../../kernel/language.ts';
import { type Sentence, translator } from '../../kernel/sentences.ts';
import { refusalsOfFile } from '../imports/reading/refusals.ts';
import { pointless } from '../mailer/pointless.ts';
import { outsideTexts } from '../outside/failure.ts';
import { unreadable } from '../readers/failure.ts';
import { refusalsOfStore } from '../storage/refusals.ts';
import { clockSentences } from './clock.ts';

/**
 * What the service itself says of a job, mail, import or schedule that failed, and of what it depends on. Rows keep the English, and what a foreign server said stays in
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
  database_restored: () => ({
    en: 'The database was restored: see npm run installation',
    ja: 'データベースがバックアップから復元されています。npm run installation をご覧ください',
  }),
  wrong_payload: (words: string) => ({
    en: `The payload is not valid: ${words}`,
    ja: `ジョブのデータが正しくありません：${words}`,
  }),
  unknown_to_release: (what: string) => ({
    en: `This release does not know ${what}`,
    ja: `このリリースは ${what} に対応していません`,
  }),
  asked_too_long_ago: () => ({
    en: 'It was asked for too long ago: ask for it again',
    ja: '依頼から時間がたちすぎました。もう一度依頼してください',
  }),
  may_not_have_it: () => ({
    en: 'Who asked for it may not have it any more',
    ja: '依頼した人に、これを受け取る権限がなくなりました',
  }),
  may_not_do_it: () => ({
    en: 'Who asked for it may not do so any more',
    ja: '依頼した人に、この操作の権限がなくなりました',
  }),
  waits_for_files: (files: number) => ({
    en: `Waits for files that are being made: ${files}`,
    ja: `作成中のファイルを待っています：${files}件`,
  }),
  outdated_rows: () => ({
    en: 'Rows went that the file may show',
    ja: '書き出している間に行が削除されたため、書き直します',
  }),
  original_missing: (name: string) => ({
    en: `The original ${name} is missing from the store: have an operator restore it`,
    ja: `原本 ${name} がファイルの保存先にありません。運用担当者に復元を依頼してください`,
  }),
  too_large_zip: (megabytes: number, most: number) => ({
    en: `The files have ${megabytes} MB together; a zip holds ${most} MB at most. Ask for fewer`,
    ja: `ファイルの合計が${megabytes} MBで、ZIPの上限の${most} MBを超えています。件数を減らして依頼してください`,
  }),
  too_large_pdf: (megabytes: number, most: number) => ({
    en: `The files have ${megabytes} MB together; a PDF holds ${most} MB at most. Ask for fewer, or for a zip`,
    ja: `ファイルの合計が${megabytes} MBで、1つのPDFの上限の${most} MBを超えています。件数を減らすか、ZIPで依頼してください`,
  }),
  too_many_files_of_evidence: (files: number, most: number) => ({
    en: `The evidence has ${files} files or more; a zip holds ${most} at most. Ask for a shorter time`,
    ja: `証憑が${files}件以上あり、ZIPの上限の${most}件を超えています。期間を短くして依頼してください`,
  }),
  too_large_evidence: (megabytes: number, most: number) => ({
    en: `The evidence has ${megabytes} MB; a zip holds ${most} MB at most. Ask for a shorter time`,
    ja: `証憑の合計が${megabytes} MBで、ZIPの上限の${most} MBを超えています。期間を短くして依頼してください`,
  }),
  no_chromium: (words: string) => ({
    en: `Chromium could not be started: ${words}`,
    ja: `Chromiumを起動できませんでした：${words}`,
  }),
  chromium_ended: () => ({ en: 'Chromium has ended', ja: 'Chromiumが終了しました' }),
  page_crashed: () => ({ en: 'A page has crashed', ja: 'PDFのページの作成中にChromiumが停止しました' }),
  pdf_took_too_long: (milliseconds: number) => ({
    en: `The PDF took longer than ${milliseconds} ms`,
    ja: `PDFの作成が${milliseconds}ミリ秒を超えました`,
  }),
  pdf_took_too_much: (mebibytes: number) => ({
    en: `The PDF took more than ${mebibytes} MiB of memory`,
    ja: `PDFの作成が${mebibytes} MiBを超えるメモリを使いました`,
  }),
  database_silent: (words: string) => ({
    en: `The database does not answer: ${words}`,
    ja: `データベースが応答しません：${words}`,
  }),
  store_silent: (words: string) => ({
    en: `File storage does not answer: ${words}`,
    ja: `ファイルの保存先が応答しません：${words}`,
  }),
  scanner_silent: (words: string) => ({
    en: `clamd does not answer: ${words}`,
    ja: `clamdが応答しません：${words}`,
  }),
  is_silent: () => ({ en: 'it is silent', ja: '反応がありません' }),
  clock_to_be_set: (words: string) => ({
    en: `${words}: set it right`,
    ja: `${words}。時計を合わせてください`,
  }),
  work_lost: () => ({
    en: 'The work of this job was lost before it was done. Ask for it again.',
    ja: 'このジョブの処理が、終わる前に失われました。もう一度依頼してください。',
  }),
  import_lost: () => ({
    en: 'The work of this import was lost. What was imported stays; import the file again for the rest.',
    ja: 'このインポートの処理が失われました。取り込んだ分は残っています。残りは、ファイルをもう一度取り込んでください。',
  }),
  import_moved_on: (status: string) => ({
    en: `The import is ${status} by now`,
    ja: `インポートはすでに ${status} になっています`,
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

/** What a domain says of its failures. */
type Saying = { pointless_mails?: readonly Text[]; failure_reasons?: readonly Sentence[] };

/** What says in both languages why something failed, by the English that is kept. */
export function reasonsOf(domains: readonly Saying[]): (kept: string) => Text {
  const texts = [
    ...Object.values(pointless),
    ...Object.values(outsideTexts),
    ...outageTexts,
    ...domains.flatMap(({ pointless_mails = [] }) => pointless_mails),
  ];
  return translator([
    ...texts.map(
      (text): Sentence =>
        () =>
          text,
    ),
    unreadable,
    ...[reasons, refusalsOfFile, refusalsOfStore, clockSentences].flatMap((told) => Object.values(told)),
    ...domains.flatMap(({ failure_reasons = [] }) => failure_reasons),
  ]);
}
