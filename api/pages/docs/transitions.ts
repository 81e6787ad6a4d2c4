import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { documentKinds, kinds } from '../../../shared/invoicing/documents/kinds.ts';
import { needs, type Transition, transitions } from '../../../shared/invoicing/transitions/table.ts';

/** The guide that has the table of transitions. */
export const TRANSITIONS_GUIDE = resolve(import.meta.dirname, '../../../docs/guides/document-transitions.md');

/** From here on the guide is written by the code. */
const HEADING = '## What can be done, and when\n';

/** The guide as it should be: its own words, and the table as it is in the code. */
export function transitionsGuide(): string {
  const [own = ''] = readFileSync(TRANSITIONS_GUIDE, 'utf8').split(HEADING);
  return `${own}${HEADING}\n${documentKinds.map(tableOf).join('\n')}`;
}

function tableOf(kind: (typeof documentKinds)[number]): string {
  const rows = transitions.filter((one) => one.kind === kind);
  const title = `${kinds[kind].title[0]!.toUpperCase()}${kinds[kind].title.slice(1)}s`;
  return `### ${title}

Statuses: ${kinds[kind].statuses.map(code).join(', ')}.

| Action | From | To | Scope | Effect | Also refused as |
| --- | --- | --- | --- | --- | --- |
${rows.map(rowOf).join('\n')}
`;
}

function rowOf({ action, from, to, scopes, needs: asked = [], barred = {}, effect }: Transition): string {
  const conditions = asked.map((need) => `, ${needs[need].text}`).join('');
  const cells = [
    code(action),
    `${from.map(code).join(', ')}${conditions}`,
    ['same', 'gone', 'by balance'].includes(to) ? to : code(to),
    scopes.map(code).join(', '),
    effect,
    refused(asked, barred).map(code).join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The codes that say more than that the status does not fit. */
function refused(
  asked: NonNullable<Transition['needs']>,
  barred: NonNullable<Transition['barred']>,
): string[] {
  const codes = [...asked.map((need) => needs[need].code), ...Object.values(barred)];
  return [...new Set(codes)].filter((one) => one !== 'invalid_transition');
}

function code(text: string): string {
  return `\`${text}\``;
}
