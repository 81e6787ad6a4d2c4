import type { FieldError } from '../../kernel/failure.ts';
import { MOST_FIELD_ERRORS } from '../../kernel/failure.ts';
import { readsOf } from '../answers/field-reads.ts';
import { isUnanswered } from '../answers/values.ts';
import { askedLeaf, subjectsOf } from './asked.ts';
import type { Condition } from './condition.ts';
import { reachablePages } from './pages.ts';
import { patternFaults } from './pattern-faults.ts';
import { type Place, schemaFault } from './places.ts';
import { fieldsOf, type Schema } from './schema.ts';
import { type PlacedField, placedConditions, placedFields } from './walk.ts';
import type { FieldType } from './words.ts';

/**
 * What keeps a schema from being published, 100 faults at most: it asks something, what it refers to exists, its conditions look
 * back and fit what they ask about, its pages lead forward and are reached, its patterns cost little enough, and a field keeps the type
 * that it had in an earlier version.
 */
export function publishFaults(
  schema: Schema,
  types_of_earlier_versions: ReadonlyMap<string, FieldType> = new Map(),
): FieldError[] {
  const patterns = patternFaults(schema);
  return [
    ...contentFaults(schema),
    ...conditionFaults(schema),
    ...ruleFaults(schema),
    ...patterns,
    ...placedFields(schema).flatMap((placed) =>
      fieldFaults(placed, types_of_earlier_versions, patterns.length > 0),
    ),
  ].slice(0, MOST_FIELD_ERRORS);
}

function contentFaults(schema: Schema): FieldError[] {
  if (fieldsOf(schema).some(({ type }) => type !== 'statement')) return [];
  return [
    schemaFault(['pages'], 'no_fields', {
      en: 'must have a field with an answer',
      ja: 'に回答できる項目が1つ以上必要です',
    }),
  ];
}

function conditionFaults(schema: Schema): FieldError[] {
  const subjects = subjectsOf(schema);
  return placedConditions(schema).flatMap(({ condition, place, before }) =>
    placedLeaves(condition, place).flatMap(({ leaf, at }) => {
      const found = subjects.get(leaf.field);
      if (!found) {
        return schemaFault([...at, 'field'], 'unknown_reference', {
          en: 'names nothing that conditions can ask about',
          ja: 'が指す項目はありません',
        });
      }
      if (found.place >= before) {
        return schemaFault([...at, 'field'], 'not_earlier', {
          en: 'must name a field that stands earlier',
          ja: 'にはそれより前の項目を指定してください',
        });
      }
      const asked = askedLeaf(leaf, found.subject);
      return 'code' in asked ? schemaFault([...at, asked.member], asked.code, asked.predicate) : [];
    }),
  );
}

function placedLeaves(
  condition: Condition,
  at: Place,
): { leaf: Extract<Condition, { op: unknown }>; at: Place }[] {
  if ('all' in condition)
    return condition.all.flatMap((each, number) => placedLeaves(each, [...at, 'all', number]));
  if ('any' in condition)
    return condition.any.flatMap((each, number) => placedLeaves(each, [...at, 'any', number]));
  if ('not' in condition) return placedLeaves(condition.not, [...at, 'not']);
  return [{ leaf: condition, at }];
}

function ruleFaults(schema: Schema): FieldError[] {
  const { pages, endings = [] } = schema;
  const faults = pages.flatMap(({ next = [] }, page) =>
    next.flatMap(({ to }, number) => {
      const place = ['pages', page, 'next', number, 'to'];
      const isEnd = to.startsWith('end:');
      const target = isEnd
        ? endings.findIndex(({ id }) => `end:${id}` === to)
        : pages.findIndex(({ id }) => id === to);
      if (target < 0) {
        return schemaFault(place, 'unknown_reference', {
          en: 'names neither a page nor an ending',
          ja: 'が指すページまたは終了画面はありません',
        });
      }
      if (isEnd || target > page) return [];
      return schemaFault(place, 'not_forward', {
        en: 'must name a later page',
        ja: 'には後のページを指定してください',
      });
    }),
  );
  // Which pages are reached can be told once every rule leads somewhere.
  return faults.length > 0 ? faults : unreachableFaults(schema);
}

function unreachableFaults(schema: Schema): FieldError[] {
  const reached = reachablePages(schema);
  return [...schema.pages.keys()]
    .filter((page) => !reached.has(page))
    .map((page) =>
      schemaFault(['pages', page], 'unreachable', {
        en: 'is reached by no answers',
        ja: 'にはどの回答からも到達できません',
      }),
    );
}

function fieldFaults(
  { field, place }: PlacedField,
  types_of_earlier_versions: ReadonlyMap<string, FieldType>,
  has_pattern_faults: boolean,
): FieldError[] {
  const earlier = types_of_earlier_versions.get(field.id);
  if (earlier !== undefined && earlier !== field.type) {
    return [
      schemaFault([...place, 'type'], 'type_changed', {
        en: `was ${earlier} in an earlier version; give the new field another ID`,
        ja: `は以前の版では ${earlier} でした。新しい項目には別のIDを付けてください`,
      }),
    ];
  }
  // Which defaults a pattern takes can be told once all patterns may be compiled.
  if ('pattern' in field && has_pattern_faults) return [];
  return isUnanswered(field.default) || isDefault({ field, place })
    ? []
    : [
        schemaFault([...place, 'default'], 'invalid_default', {
          en: 'is no answer that this field takes',
          ja: 'はこの項目の回答として使えません',
        }),
      ];
}

/** A day at which bounds of days that move leave a default in or out: it is a default on any other day as well. */
const ANY_DAY = '2000-01-01';

/** Whether a default is an answer of its field; one out of range may come into it, as days pass. */
function isDefault({ field }: Pick<PlacedField, 'field' | 'place'>): boolean {
  const read = readsOf(field)?.(field.default, { today: ANY_DAY, files: new Map() });
  if (!read || 'answer' in read) return true;
  return field.type === 'date' && read.faults.every(({ code }) => code === 'out_of_range');
}
