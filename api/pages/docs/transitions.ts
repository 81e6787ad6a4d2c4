import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { shownCode } from '../../../shared/domains.ts';
import { formTransitions } from '../../../shared/forms/forms/transitions.ts';
import { documentTransitions } from '../../../shared/invoicing/transitions/allowed.ts';
import type { FailureCode } from '../../../shared/kernel/failures.ts';
import type { Text } from '../../../shared/kernel/language.ts';
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
const HEADING = '## What can be done, and when\n';

/** Each guide with a table of transitions as it should be, by its path: its own words, and the table of the code. */
export function transitionsGuides(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tables).map(([name, shown]) => {
      const path = resolve(import.meta.dirname, `../../../docs/guides/${name}.md`);
      const [own = ''] = readFileSync(path, 'utf8').split(HEADING);
      const kinds = shown.flatMap((table) => Object.keys(table.kinds).map((kind) => tableOf(table, kind)));
      return [path, `${own}${HEADING}\n${kinds.join('\n')}`];
    }),
  );
}

function tableOf(table: ShownTable, kind: string): string {
  const { title, statuses } = table.kinds[kind]!;
  const [first = '', ...rest] = title.en;
  const rows = table.rows.filter((one) => one.kind === kind);
  return `### ${first.toUpperCase()}${rest.join('')}s

Statuses: ${statuses.map(code).join(', ')}.

| Action | From | To | Scope | Effect | Also refused as |
| --- | --- | --- | --- | --- | --- |
${rows.map((row) => rowOf(table, row)).join('\n')}
`;
}

function rowOf(table: ShownTable, row: ShownRow): string {
  const { action, from, to, scopes, needs = [], call_needs = [], effect } = row;
  const conditions = needs.map((need) => `, ${table.needs[need]!.text.en}`).join('');
  const ofCalls = call_needs.map((need) => callConditionOf(table.call_needs[need]!));
  const cells = [
    code(action),
    `${from.map(code).join(', ')}${conditions}`,
    ['same', 'gone', 'by balance'].includes(to) ? to : code(to),
    scopes.map(code).join(', '),
    [effect, ...ofCalls].filter((text) => text !== '').join('; '),
    refusedAs(table, row)
      .map((one) => code(shownCode(one)))
      .join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function callConditionOf({ text, code: failure }: Shown): string {
  return `${text.en}, else 409 ${code(shownCode(failure))}`;
}

/** The codes that say more than that the status does not fit, but for those that stand beside the effect. */
function refusedAs(table: ShownTable, { needs, barred }: ShownRow): FailureCode[] {
  const codes = codesOfRow(table, { needs, barred });
  return [...new Set(codes)].filter((one) => one !== 'invalid_transition');
}

function code(text: string): string {
  return `\`${text}\``;
}
