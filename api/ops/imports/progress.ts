import { html } from 'ghtml';
import type { ImportState } from '../../../shared/platform/operators/imports.ts';
import type { Html } from '../parts.ts';
import { count, percent, type Speech } from '../speech.ts';

/**
 * How far an import is, as a bar where that is known: by its rows once they are counted, before that by the bytes of
 * its file.
 */
export function progressOf({ say }: Speech, state: ImportState): Html {
  const { status, processed_rows, total_rows, checkpoint_byte, file_bytes } = state;
  const done = count(processed_rows);
  const rows = say(
    total_rows === null
      ? { en: `${done} rows`, ja: `${done}行` }
      : { en: `${done} of ${count(total_rows)} rows`, ja: `${count(total_rows)}行中${done}行` },
  );
  const isOpen = ['queued', 'running', 'paused', 'reverting'].includes(status);
  if (!isOpen) return html`${rows}`;
  const part =
    total_rows !== null && total_rows > 0
      ? processed_rows / total_rows
      : Number(checkpoint_byte ?? 0) / Math.max(1, Number(file_bytes));
  return html`<progress max="100" value="${Math.round(part * 100)}" aria-label="${say({ en: 'Progress', ja: '進み具合' })}">${percent(part)}</progress> <span class="under">${percent(part)}, ${rows}</span>`;
}

/** Rows a second while it really worked; a dash before the first. */
export function speedOf({ processed_rows, running_milliseconds }: ImportState): string {
  const milliseconds = Number(running_milliseconds);
  return milliseconds === 0 ? '–' : count(Math.round((processed_rows / milliseconds) * 1000));
}
