import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { shownCode } from '../../../shared/domains.ts';
import { formTransitions } from '../../../shared/forms/forms/transitions.ts';
import { documentTransitions } from '../../../shared/invoicing/transitions/allowed.ts';
import type { FailureCode } from '../../../shared/kernel/failures.ts';
import { type Language, languages, type Text } from '../../../shared/kernel/language.ts';
import { campaignTransitions } from '../../../shared/mail/campaigns/transitions.ts';
import { codesOfRow } from '../../../shared/platform/transitions/rules.ts';
import type { Kinds, Transition } from '../../../shared/platform/transitions/table.ts';
import { receivedTransitions } from '../../../shared/received/transitions/allowed.ts';
import { bookingTransitions, guestTransitions } from '../../../shared/scheduler/bookings/transitions.ts';
import { proposalTransitions } from '../../../shared/scheduler/proposals/transitions.ts';
import { documentTransitions as signTransitions } from '../../../shared/sign/documents/transitions.ts';

/** A table of transitions as far as its guide shows it. */
type ShownTable = {
  kinds: Kinds;
  needs: Readonly<Record<string, Shown>>;
  call_needs: Readonly<Record<string, Shown>>;
  rows: readonly ShownRow[];
};

type Shown = { text: Text; code: FailureCode };

type ShownRow = Pick<Transition, 'action' | 'needs' | 'call_needs' | 'scopes' | 'effect'> & {
  kind: string;
  from: readonly string[];
  to: string;
  barred?: Readonly<Partial<Record<string, FailureCode>>>;
};

/** What guests can do to bookings, under a heading of its own. */
const byGuests: ShownTable = {
  ...guestTransitions,
  kinds: {
    booking: {
      ...guestTransitions.kinds.booking,
      title: { en: 'booking by its guest', ja: 'お客様による予約の操作' },
    },
  },
};

/** The guides that end with tables of transitions, by their names. */
const tables: Readonly<Record<string, readonly ShownTable[]>> = {
  'document-transitions': [documentTransitions],
  'booking-transitions': [bookingTransitions, byGuests, proposalTransitions],
  'sign-transitions': [signTransitions],
  'received-transitions': [receivedTransitions],
  'form-transitions': [formTransitions],
  'campaign-transitions': [campaignTransitions],
};

/** From here on the code writes a guide. */
const headings: Readonly<Record<Language, string>> = {
  en: '## What can be done, and when\n',
  ja: '## できることと条件\n',
};

/** Where the guides of a language stand. */
const folders: Readonly<Record<Language, string>> = { en: 'docs/guides', ja: 'docs/guides/ja' };

/** Each guide with a table of transitions as it should be, by its path: its own words, and the table of the code. */
export function transitionsGuides(): Record<string, string> {
  const pages = languages.flatMap((language) =>
    Object.entries(tables).map(([name, shown]): [string, string] => {
      const path = resolve(import.meta.dirname, '../../..', folders[language], `${name}.md`);
      const [own = ''] = readFileSync(path, 'utf8').split(headings[language]);
      const kinds = shown.flatMap((table) =>
        Object.keys(table.kinds).map((kind) => tableOf(table, kind, language)),
      );
      return [path, `${own}${headings[language]}\n${kinds.join('\n')}`];
    }),
  );
  return Object.fromEntries(pages);
}

function tableOf(table: ShownTable, kind: string, language: Language): string {
  const { title, statuses } = table.kinds[kind]!;
  const rows = table.rows.filter((one) => one.kind === kind).map((row) => rowOf(table, row, language));
  const shown = { heading: title[language], statuses: statuses.map(code), rows: rows.join('\n') };
  return language === 'ja' ? tableInJapanese(shown) : tableInEnglish(shown);
}

type Shaped = { heading: string; statuses: string[]; rows: string };

function tableInEnglish({ heading, statuses, rows }: Shaped): string {
  const [first = '', ...rest] = heading;
  return `### ${first.toUpperCase()}${rest.join('')}s

Statuses: ${statuses.join(', ')}.

| Action | From | To | Scope | Effect | Also refused as |
| --- | --- | --- | --- | --- | --- |
${rows}
`;
}

function tableInJapanese({ heading, statuses, rows }: Shaped): string {
  return `### ${heading}

状態：${statuses.join(', ')}

| 操作 | 操作前 | 操作後 | 権限 | 内容 | ほかの拒否コード |
| --- | --- | --- | --- | --- | --- |
${rows}
`;
}

/** Where a record ends that does not take a status of its own. */
const ends: Readonly<Record<string, Text>> = {
  same: { en: 'same', ja: '変わりません' },
  gone: { en: 'gone', ja: '削除' },
  'by balance': { en: 'by balance', ja: '残高によります' },
};

function rowOf(table: ShownTable, row: ShownRow, language: Language): string {
  const { action, from, to, scopes, needs = [], call_needs = [], effect } = row;
  const conditions = needs.map((need) => table.needs[need]!.text[language]);
  const ofCalls = call_needs.map((need) => callConditionOf(table.call_needs[need]!, language));
  const effects = effect === null ? ofCalls : [effect[language], ...ofCalls];
  const cells = [
    code(action),
    `${from.map(code).join(', ')}${conditionsOf(conditions, language)}`,
    ends[to]?.[language] ?? code(to),
    scopes.map(code).join(', '),
    effects.join(language === 'ja' ? '。' : '; '),
    refusedAs(table, row)
      .map((one) => code(shownCode(one)))
      .join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What must hold beside the status, behind the statuses. In Japanese each says what kind of record it is: `入金のある` + もの. */
function conditionsOf(conditions: readonly string[], language: Language): string {
  if (language === 'en') return conditions.map((condition) => `, ${condition}`).join('');
  return conditions.length === 0 ? '' : `（${conditions.map((condition) => `${condition}もの`).join('、')}）`;
}

function callConditionOf({ text, code: failure }: Shown, language: Language): string {
  const refused = `409 ${code(shownCode(failure))}`;
  return language === 'ja' ? `${text.ja}（満たさない場合は${refused}）` : `${text.en}, else ${refused}`;
}

/** The codes that say more than that the status does not fit, but for those that stand beside the effect. */
function refusedAs(table: ShownTable, { needs, barred }: ShownRow): FailureCode[] {
  const codes = codesOfRow(table, { needs, barred });
  return [...new Set(codes)].filter((one) => one !== 'invalid_transition');
}

function code(text: string): string {
  return `\`${text}\``;
}
