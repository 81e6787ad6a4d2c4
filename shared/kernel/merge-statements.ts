import { rememberedText } from './remembered-text.ts';
import { SharedText } from './shared-json-text.ts';
import type { Statement } from './statement.ts';

/**
 * Neighbours that write different tables become one statement with the others as CTEs: each statement costs a trip
 * through the protocol on both sides. Foreign keys are checked at the end of a statement, so parts may refer to
 * each other's rows.
 */
export function mergeStatements(statements: readonly Statement[]): Statement[] {
  const groups: Statement[][] = [];
  for (const statement of statements) {
    const group = groups.at(-1);
    const joins = group?.every(({ table }) => table && table !== statement.table);
    if (group && joins && statement.table) group.push(statement);
    else groups.push([statement]);
  }
  return groups.map((group) => (group.length === 1 ? group[0]! : asOne(group)));
}

function asOne(group: readonly Statement[]): Statement {
  const values: unknown[] = [];
  const shared = new Map<SharedText, number>();
  const repeated: string[] = [];
  const places = group.map((statement) =>
    statement.values.map((value) => {
      if (!(value instanceof SharedText)) return values.push(value);
      const known = shared.get(value);
      if (known !== undefined) repeated.push(`${values.length}=${known}`);
      const place = known ?? values.push(value);
      shared.set(value, place);
      return place;
    }),
  );
  const key = [...repeated, ...group.map(({ text, values: own }) => `${own.length} ${text}`)].join('\n');
  return { text: rememberedText(key, () => joined(group, places)), values, table: null };
}

/** `places` are those of each statement's values among all. */
function joined(group: readonly Statement[], places: readonly (readonly number[])[]): string {
  const numbered = group.map(({ text }, index) =>
    text.replace(/\$(\d+)/g, (_, place) => `$${places[index]![Number(place) - 1]}`),
  );
  const main = numbered.pop();
  const parts = numbered.map((text, index) => `part${index} AS (${text})`);
  return `WITH ${parts.join(', ')} ${main}`;
}
