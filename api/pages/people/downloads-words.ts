import { domains } from '../../../shared/domains.ts';
import type { Text } from '../../../shared/kernel/language.ts';
import type { JobStatus } from '../../../shared/platform/jobs/record.ts';
import { reasonsOf } from '../../../shared/platform/operators/reasons.ts';
import type { Language } from '../kit/language.ts';

export const downloadWords = {
  ja: {
    title: 'ダウンロード',
    lead: (days: number) => `作成を依頼したファイルです。できあがってから${days}日間保存します。`,
    making: '作成中',
    ready: 'ファイル',
    none: 'ファイルはありません。一覧のエクスポートや書類のPDFを依頼すると、ここに表示されます。',
    none_making: '作成中のファイルはありません。',
    download: 'ダウンロード',
    kept: '保存期限',
    asked: '依頼',
    of_others: 'ほかのメンバーの依頼',
    older: '以前のもの',
    newest: '最新のものへ戻る',
    again: '表示を更新',
    progress: '進み具合',
    gone: 'ファイルの保存期間が過ぎたか、まだできていません。必要な場合は、もう一度作成を依頼してください。',
  },
  en: {
    title: 'Downloads',
    lead: (days: number) => `The files that were asked for. Each is kept for ${days} days after it is ready.`,
    making: 'Being made',
    ready: 'Files',
    none: 'There are no files. Ask for an export of a list or the PDF of a document, and it shows here.',
    none_making: 'No file is being made.',
    download: 'Download',
    kept: 'Kept until',
    asked: 'Asked for',
    of_others: 'Asked for by another member',
    older: 'Older ones',
    newest: 'Back to the newest',
    again: 'Refresh',
    progress: 'Progress',
    gone: 'The file is no longer kept, or not ready yet. Ask for it again if you need it.',
  },
};

export const statusWords: Record<JobStatus, Text> = {
  queued: { en: 'Waiting', ja: '順番待ち' },
  running: { en: 'Being made', ja: '作成中' },
  paused: { en: 'Paused', ja: '一時停止中' },
  succeeded: { en: 'Ready', ja: '完了' },
  failed: { en: 'Failed', ja: '作成できませんでした' },
  cancelled: { en: 'Cancelled', ja: '取り消されました' },
};

/** What another try may mend: of all else the reason says what to do. */
const MAY_GO_WELL: ReadonlySet<string> = new Set(['gave_up', 'time_limit']);

/** Why a file was not made, and what to do: what the worker said, in words of the page. */
export function failureSentence(language: Language, error: { code: string; message: string } | null): string {
  const again = { en: 'Ask for it again.', ja: 'もう一度依頼してください。' }[language];
  if (error === null) return again;
  const reason = ended(reasonText(error.message)[language], language);
  if (!MAY_GO_WELL.has(error.code)) return reason;
  return language === 'en' ? `${reason} ${again}` : `${reason}${again}`;
}

function ended(sentence: string, language: Language): string {
  return `${sentence.replace(/[.。]$/, '')}${language === 'en' ? '.' : '。'}`;
}

const reasonText = reasonsOf(domains);

/** What is counted while a file is made, where it has a word of people. */
const units: Record<string, Record<Language, (done: string, total: string | null) => string>> = {
  rows: {
    ja: (done, total) => (total === null ? `${done}行` : `${total}行のうち${done}行`),
    en: (done, total) => (total === null ? `${done} rows` : `${done} of ${total} rows`),
  },
  files: {
    ja: (done, total) => (total === null ? `${done}件` : `${total}件のうち${done}件`),
    en: (done, total) => (total === null ? `${done} files` : `${done} of ${total} files`),
  },
  pages: {
    ja: (done, total) => (total === null ? `${done}ページ` : `${total}ページのうち${done}ページ`),
    en: (done, total) => (total === null ? `${done} pages` : `${done} of ${total} pages`),
  },
};

/** How far a file is, in words; empty where nothing is known of it. */
export function progressSentence(
  language: Language,
  { progress_done, progress_total, progress_unit }: Progress,
): string {
  const say = units[progress_unit ?? '']?.[language];
  if (!say || (progress_done === 0 && progress_total === null)) return '';
  const number = (value: number) => value.toLocaleString(language);
  return say(number(progress_done), progress_total === null ? null : number(progress_total));
}

type Progress = { progress_done: number; progress_total: number | null; progress_unit: string | null };

/** What a file is, by the end of the kind of its job. */
const whats: readonly [end: RegExp, what: Text][] = [
  [/evidence\.export$/, { en: 'Evidence', ja: '証憑一式' }],
  [/\.export$/, { en: 'Export', ja: 'エクスポート' }],
  [/\.errors$/, { en: 'Faulty rows of an import', ja: 'インポートのエラー一覧' }],
  [/\.files$/, { en: 'Several documents', ja: '複数の書類' }],
  [/\.archive$/, { en: 'A folder as a zip file', ja: 'フォルダー（ZIP）' }],
  [/\.transfer_file$/, { en: 'File of bank transfers', ja: '総合振込ファイル' }],
  [/\.pdf$/, { en: 'PDF', ja: 'PDF' }],
  [/\.csv$/, { en: 'CSV', ja: 'CSV' }],
];

/** What the file of a job is, for who looks for it: what it is, and of which records. */
export function whatOf(kind: string, language: Language): string {
  const [, what] = whats.find(([end]) => end.test(kind)) ?? [null, { en: 'File', ja: 'ファイル' }];
  const domain = domains.find(({ name }) => kind.startsWith(`${name}.`));
  if (!domain) return what[language];
  const named = domain.records[language];
  return language === 'ja' ? `${what.ja}（${named}）` : `${what.en} (${named})`;
}
