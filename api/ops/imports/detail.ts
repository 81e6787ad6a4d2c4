import { html } from 'ghtml';
import type { Text } from '../../../shared/kernel/language.ts';
import type { ImportFault, ImportState } from '../../../shared/platform/operators/imports.ts';
import { jobWords } from '../jobs/words.ts';
import { facts, figures, type Html, nothing, section, table } from '../parts.ts';
import { reasonIn } from '../reasons.ts';
import { bytes, count, type Speech } from '../speech.ts';
import { progressOf, speedOf } from './progress.ts';
import { faultWords, settingWords, whatImport } from './words.ts';

type Faults = {
  rows: readonly ImportFault[];
  reasons: readonly { code: string; column: string | null; count: number }[];
};

const UNKNOWN: Text = { en: 'not known yet', ja: 'まだ分かりません' };
const KIND: Text = { en: 'What it takes in', ja: '取り込む内容' };
const COLUMN: Text = { en: 'Column', ja: '列' };

/** An import's life: how far, how fast, its outcomes rows, and which were wrong. */
export function importDetail(
  speech: Speech,
  state: ImportState,
  { rows, reasons, pages }: Faults & { pages: Html },
): Html {
  const progress = html`<p>!${progressOf(speech, state)}</p>!${progressFacts(speech, state)}`;
  const live = html`<div data-live="import">
!${section(speech, { en: 'Progress', ja: '進み具合' }, progress)}
!${outcomes(speech, state)}
</div>`;
  const error =
    state.error === null
      ? ''
      : section(
          speech,
          { en: 'Why it stopped', ja: '停止した理由' },
          html`<pre tabindex="0">!${reasonIn(speech, state.error.message)}</pre><p class="quiet"><code>${state.error.code}</code></p>`,
        );
  const faulty = count(state.error_count);
  const all = html`<span class="quiet">${speech.say({ en: `${faulty} in all`, ja: `全${faulty}件` })}</span>`;
  return html`!${live}
!${error}
!${section(speech, { en: 'The file and its settings', ja: 'ファイルと設定' }, settings(speech, state))}
!${section(speech, { en: 'Faulty rows', ja: '誤りのある行' }, html`!${faultLists(speech, rows, reasons)}!${pages}`, all)}`;
}

function progressFacts(speech: Speech, state: ImportState): Html {
  const { say, when, runTime } = speech;
  const { organization_id, delivery_id, checkpoint_byte, checkpoint_row, file_bytes } = state;
  const { started_at, finished_at, reverted_at, created_at, updated_at, running_milliseconds } = state;
  const row = count(checkpoint_row ?? 0);
  const byte = count(Number(checkpoint_byte ?? 0));
  const all = count(Number(file_bytes));
  const checkpoint =
    checkpoint_byte === null
      ? { en: 'none yet', ja: 'まだありません' }
      : { en: `row ${row}, byte ${byte} of ${all}`, ja: `${row}行目、${all}バイト中${byte}バイト` };
  const none = {
    en: 'none: nothing is left to do, or it waits to be resumed',
    ja: 'なし：残りの処理がないか、再開を待っています',
  };
  const delivery =
    delivery_id === null
      ? say(none)
      : html`<a href="/ops/jobs/${organization_id}/${delivery_id}">${delivery_id}</a>`;
  const speed = speedOf(state);
  return facts(speech, [
    [{ en: 'Speed', ja: '速さ' }, html`${say({ en: `${speed} rows a second`, ja: `毎秒${speed}行` })}`],
    [{ en: 'Worked', ja: '処理時間' }, runTime(Number(running_milliseconds))],
    [{ en: 'Checkpoint', ja: '確定した位置' }, html`${say(checkpoint)}`],
    [{ en: 'Delivery', ja: '処理のID' }, delivery],
    [{ en: 'Requested', ja: '依頼' }, when(created_at)],
    [{ en: 'Started', ja: '開始' }, when(started_at)],
    [{ en: 'Last change', ja: '最後の更新' }, when(updated_at)],
    [{ en: 'Ended', ja: '終了' }, when(finished_at)],
    reverted_at ? [{ en: 'Reverted', ja: '取り消し' }, when(reverted_at)] : null,
  ]);
}

function outcomes(speech: Speech, state: ImportState): Html {
  const faulty = state.error_count;
  return figures(speech, [
    { name: { en: 'Created', ja: '登録' }, figure: count(state.created_count) },
    { name: { en: 'Updated', ja: '更新' }, figure: count(state.updated_count) },
    { name: { en: 'Unchanged', ja: '変更なし' }, figure: count(state.unchanged_count) },
    { name: { en: 'Skipped', ja: '対象外' }, figure: count(state.skipped_count) },
    {
      name: { en: 'Repeated', ja: '重複' },
      figure: count(state.duplicate_count),
      note: { en: 'in the file', ja: 'ファイルの中' },
    },
    {
      name: { en: 'Suppressed', ja: '配信禁止' },
      figure: count(state.suppressed_count),
      note: { en: 'never to be mailed', ja: 'メールを送らない宛先' },
    },
    {
      name: { en: 'Faulty', ja: '誤り' },
      figure: count(faulty),
      path: '#faulty-rows',
      tone: faulty > 0 ? 'warn' : 'calm',
    },
  ]);
}

function settings(speech: Speech, state: ImportState): Html {
  const { say } = speech;
  const { organization_id, organization_name, id, job_id, encoding, delimiter, on_conflict, dry_run } = state;
  return facts(speech, [
    [{ en: 'Import', ja: 'インポート' }, html`<code>${id}</code>`],
    [KIND, html`${whatImport(speech, state.kind)} <code>${state.kind}</code>`],
    [jobWords.organization, html`${organization_name ?? ''} <code>${organization_id}</code>`],
    [
      { en: 'Job that people watch', ja: '利用者に見えるジョブ' },
      job_id === null ? '–' : html`<code>${job_id}</code>`,
    ],
    [{ en: 'Size', ja: '大きさ' }, bytes(Number(state.file_bytes))],
    [{ en: 'Encoding', ja: '文字コード' }, encoding === null ? say(UNKNOWN) : settingWords(speech, encoding)],
    [
      { en: 'Columns are parted by', ja: '列の区切り' },
      delimiter === null ? say(UNKNOWN) : settingWords(speech, delimiter),
    ],
    [{ en: 'Record that is there already', ja: '既存のデータ' }, settingWords(speech, on_conflict)],
    [
      { en: 'Trial', ja: '試行' },
      say(
        dry_run
          ? { en: 'yes, nothing is written', ja: 'はい（何も書き込みません）' }
          : { en: 'no', ja: 'いいえ' },
      ),
    ],
  ]);
}

function faultLists(speech: Speech, rows: Faults['rows'], reasons: Faults['reasons']): Html {
  const { say } = speech;
  if (reasons.length === 0) {
    return nothing(speech, { en: 'Every row so far was right.', ja: 'ここまでの行に誤りはありません。' });
  }
  const summary = table(speech, {
    caption: { en: 'Faults by reason', ja: '理由ごとの誤り' },
    columns: [
      { label: jobWords.reason },
      { label: COLUMN },
      { label: { en: 'Rows', ja: '行数' }, kind: 'number' },
    ],
    rows: reasons.map(({ code, column, count: number }) => [
      faultWords(speech, code),
      html`${column ?? '–'}`,
      count(number),
    ]),
  });
  const list = table(speech, {
    caption: { en: 'Faulty rows', ja: '誤りのある行' },
    columns: [
      { label: { en: 'Row in the file', ja: 'ファイルの行' } },
      { label: COLUMN },
      { label: jobWords.reason },
    ],
    rows: rows.map(({ row, column, code }) => [count(row), html`${column ?? '–'}`, faultWords(speech, code)]),
  });
  const note = say({
    en: "What stands in the rows is people's data: the organization gets it with its error file, these pages do not show it.",
    ja: '行の内容は個人情報を含むため、ここには表示しません。組織はエラー一覧のファイルで確認できます。',
  });
  return html`<p class="quiet">${note}</p>
!${summary}
<h3>${say({ en: 'One by one', ja: '1件ずつ' })}</h3>
!${list}`;
}
