import { html } from 'ghtml';
import { domains } from '../../../shared/domains.ts';
import type { Text } from '../../../shared/kernel/language.ts';
import { cellErrorText } from '../../../shared/platform/imports/cell-errors.ts';
import type { Html } from '../parts.ts';
import type { Speech } from '../speech.ts';

/** What can be imported, by the kind that the log and the API have. */
export const importTitles: ReadonlyMap<string, Text> = new Map(
  domains.flatMap(({ imports = [] }) => imports.map(({ kind, title }) => [kind, title] as const)),
);

/** What an import takes in; its code where another release knows it. */
export function whatImport({ say }: Speech, kind: string): string {
  const title = importTitles.get(kind);
  return title ? say(title) : kind;
}

/** Why rows were refused, with the code that reports for programs have. */
export function faultWords({ language }: Speech, code: string): Html {
  const text = cellErrorText(code, language);
  return text === null ? html`<code>${code}</code>` : html`${text} <span class="under">${code}</span>`;
}

/** What a setting of an import is, by its code; the code itself where there is no word for it. */
export function settingWords({ say }: Speech, code: string): Html {
  const text = SETTINGS[code];
  return text ? html`<span title="${code}">${say(text)}</span>` : html`${code}`;
}

const SETTINGS: Readonly<Record<string, Text>> = {
  comma: { en: 'commas', ja: 'カンマ' },
  tab: { en: 'tabs', ja: 'タブ' },
  semicolon: { en: 'semicolons', ja: 'セミコロン' },
  'utf-8': { en: 'UTF-8', ja: 'UTF-8' },
  'utf-16le': { en: 'UTF-16', ja: 'UTF-16' },
  'utf-16be': { en: 'UTF-16', ja: 'UTF-16' },
  shift_jis: { en: 'Shift_JIS', ja: 'Shift_JIS' },
  update: { en: 'is overwritten by the cells', ja: 'セルの内容で上書き' },
  fill_blank: { en: 'is filled where it is blank', ja: '空欄だけを補う' },
  skip: { en: 'stays as it is', ja: '変更しない' },
};
