import { html } from 'ghtml';
import type { ImportFault, ImportState } from '../../../shared/platform/operators/imports.ts';
import { bytes, count, runTime, when } from '../format.ts';
import { facts, figures, type Html, nothing, section, table } from '../parts.ts';
import { progressOf, speedOf } from './progress.ts';

type Faults = {
  rows: readonly ImportFault[];
  reasons: readonly { code: string; column: string | null; count: number }[];
};

/** An import's life: how far, how fast, its outcomes rows, and which were wrong. */
export function importDetail(
  state: ImportState,
  { rows, reasons }: Faults,
  { now, pages }: { now: Date; pages: Html },
): Html {
  const live = html`<div data-live="import">
!${section('Progress', html`<p>!${progressOf(state)}</p>!${progressFacts(state, now)}`)}
!${outcomes(state)}
</div>`;
  const error =
    state.error === null
      ? ''
      : section('Why it stopped', html`<pre tabindex="0">${state.error.code}: ${state.error.message}</pre>`);
  return html`!${live}
!${error}
!${section('The file and its settings', settings(state))}
!${section('Faulty rows', html`!${faultLists(rows, reasons)}!${pages}`, html`<span class="quiet">${count(state.error_count)} in all</span>`)}`;
}

function progressFacts(state: ImportState, now: Date): Html {
  const { organization_id, delivery_id, checkpoint_byte, checkpoint_row, file_bytes } = state;
  const { started_at, finished_at, reverted_at, created_at, updated_at, running_milliseconds } = state;
  const checkpoint =
    checkpoint_byte === null
      ? 'none yet'
      : html`row ${count(checkpoint_row ?? 0)}, byte ${count(Number(checkpoint_byte))} of ${count(Number(file_bytes))}`;
  const delivery =
    delivery_id === null
      ? 'none: nothing is left to do, or it waits to be resumed'
      : html`<a href="/ops/jobs/${organization_id}/${delivery_id}">${delivery_id}</a>`;
  return facts({
    Speed: html`${speedOf(state)} rows a second`,
    Worked: runTime(Number(running_milliseconds)),
    Checkpoint: checkpoint,
    Delivery: delivery,
    Requested: when(created_at, now),
    Started: when(started_at, now),
    'Last change': when(updated_at, now),
    Ended: when(finished_at, now),
    ...(reverted_at && { Reverted: when(reverted_at, now) }),
  });
}

function outcomes(state: ImportState): Html {
  const faulty = state.error_count;
  return figures([
    { name: 'Created', figure: count(state.created_count) },
    { name: 'Updated', figure: count(state.updated_count) },
    { name: 'Unchanged', figure: count(state.unchanged_count) },
    { name: 'Skipped', figure: count(state.skipped_count) },
    { name: 'Repeated', figure: count(state.duplicate_count), note: 'in the file' },
    { name: 'Suppressed', figure: count(state.suppressed_count), note: 'never to be mailed' },
    {
      name: 'Faulty',
      figure: count(faulty),
      path: '#faulty-rows',
      tone: faulty > 0 ? 'warn' : 'calm',
    },
  ]);
}

function settings(state: ImportState): Html {
  const { organization_id, organization_name, id, job_id, encoding, delimiter, on_conflict, dry_run } = state;
  return facts({
    Import: html`<code>${id}</code>`,
    Organization: html`${organization_name ?? ''} <code>${organization_id}</code>`,
    'Job that people watch': job_id === null ? '–' : html`<code>${job_id}</code>`,
    Size: bytes(Number(state.file_bytes)),
    Encoding: encoding ?? 'not known yet',
    'Columns are parted by': delimiter ?? 'not known yet',
    'Record that is there already': html`${on_conflict}`,
    Trial: dry_run ? 'yes, nothing is written' : 'no',
  });
}

function faultLists(rows: Faults['rows'], reasons: Faults['reasons']): Html {
  if (reasons.length === 0) return nothing('Every row so far was right.');
  const summary = table({
    caption: 'Faults by reason',
    columns: [{ label: 'Reason' }, { label: 'Column' }, { label: 'Rows', kind: 'number' }],
    rows: reasons.map(({ code, column, count: number }) => [
      html`<code>${code}</code>`,
      html`${column ?? '–'}`,
      count(number),
    ]),
  });
  const list = table({
    caption: 'Faulty rows',
    columns: [{ label: 'Row in the file' }, { label: 'Column' }, { label: 'Reason' }],
    rows: rows.map(({ row, column, code }) => [
      count(row),
      html`${column ?? '–'}`,
      html`<code>${code}</code>`,
    ]),
  });
  return html`<p class="quiet">What stands in the rows is people's data: the organization gets it with its error file, these pages do not show it.</p>
!${summary}
<h3>One by one</h3>
!${list}`;
}
