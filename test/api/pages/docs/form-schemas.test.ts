import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { guidesFor, guideText } from '../../../../api/pages/docs/guides.ts';
import { ShownForm } from '../../../../shared/forms/forms/record.ts';
import { subjectsOf } from '../../../../shared/forms/schema/asked.ts';
import { parseSchema } from '../../../../shared/forms/schema/parse.ts';
import { publishFaults } from '../../../../shared/forms/schema/publish.ts';
import { fieldsOf, Schema } from '../../../../shared/forms/schema/schema.ts';
import {
  addressParts,
  type FieldType,
  fieldTypes,
  fileKinds,
  nameParts,
  operators,
} from '../../../../shared/forms/schema/words.ts';
import { ValidateInput } from '../../../../shared/forms/validate/record.ts';
import { languages } from '../../../../shared/kernel/language.ts';
import { blocksIn } from '../../../support/shell-blocks.ts';

const { pages, endings, scores } = Schema.shape;
const page = pages.element;
const fields = page.shape.fields.element.options;
const keysOfTypes = new Map(fields.map(({ shape }) => [shape.type.value, Object.keys(shape)]));
/** The keys that fields of every type have. */
const common = keysOfTypes
  .get('statement')!
  .filter((key) => [...keysOfTypes.values()].every((keys) => keys.includes(key)));

/** What stands as code in a text. */
function codeIn(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
}

/** The tables of a text by their rows and cells, without heads. */
function tablesOf(text: string): string[][][] {
  return text
    .split(/\n\n+/)
    .filter((part) => part.startsWith('| '))
    .map((table) => table.split('\n').slice(2))
    .map((rows) => rows.map((row) => row.split('|').slice(1, -1)));
}

/** The schema of the sample with a field of every type. */
function sampleIn(guide: string): Schema {
  const shell = blocksIn(guide, 'sh').join('\n');
  const [, text = ''] = /^cat > types\.json <<'END'\n(.*?)^END$/ms.exec(shell) ?? [];
  const parsed = parseSchema(text);
  ok('schema' in parsed, JSON.stringify(parsed));
  return parsed.schema;
}

/** The types of which something can be asked by each operator: of the fields themselves, and of the rows of a matrix. */
function typesAskedBy(schema: Schema): Map<string, Set<FieldType>> {
  const types = new Map(fieldsOf(schema).map(({ id, type }) => [id, type]));
  const asked = new Map(operators.map((operator) => [operator as string, new Set<FieldType>()]));
  for (const { subject } of subjectsOf(schema).values()) {
    const type = types.get(subject.field);
    if (type) for (const operator of subject.operators) asked.get(operator)!.add(type);
  }
  return asked;
}

/** The same schema, whose matrices take several columns a row. */
function withSeveralColumns(schema: Schema): Schema {
  const several = fieldsOf(schema).map((field) =>
    field.type === 'matrix' ? { ...field, multiple: true } : field,
  );
  return { ...schema, pages: [{ id: 'all', fields: several }] };
}

describe('the guide to the schemas of forms', () => {
  const sample = sampleIn(guideText('forms', 'en'));

  test('has a sample with a field of every type, which can be published', () => {
    deepEqual(publishFaults(sample), []);
    deepEqual(
      fieldsOf(sample)
        .map(({ type }) => type)
        .toSorted(),
      fieldTypes.toSorted(),
    );
  });

  test('is where the reference of `schema_json` leads to', () => {
    for (const { description = '' } of [ShownForm.shape.schema_json, ValidateInput.shape.schema_json]) {
      const [, name = '', anchor = ''] = /\(\/docs\/guides\/([a-z-]+)#([a-z-]+)\)/.exec(description) ?? [];
      for (const language of languages) {
        const guide = guidesFor('', { language, asked: null }).find((each) => each.name === name);
        ok(guide?.body.split(`<h2 id="${anchor}">`)[1]?.includes('<code>short_text</code>'), description);
      }
    }
  });

  for (const language of languages) {
    const guide = guideText('forms', language);
    const section = guide.split('\n## ').find((part) => part.includes('`short_text`'))!;
    const [parts = [], types = [], conditions = []] = tablesOf(section);

    test(`names each kind of file and each part of names and addresses: ${language}`, () => {
      const said = codeIn(section);
      deepEqual(
        [...fileKinds, ...nameParts, ...addressParts].filter((word) => !said.includes(word)),
        [],
      );
    });

    test(`names each key of a schema and of its parts: ${language}`, () => {
      const keys = [
        Object.keys(Schema.shape),
        Object.keys(page.shape),
        common,
        Object.keys(endings.unwrap().element.shape),
        Object.keys(scores.unwrap().element.shape),
      ];
      deepEqual(
        parts.map((cells, row) => keys[row]?.filter((key) => !codeIn(cells.join()).includes(key))),
        keys.map(() => []),
      );
    });

    test(`names each type once, with the options of its own: ${language}`, () => {
      const rows = types.map(([name, , own]) => ({ names: codeIn(name), own: codeIn(own) }));
      deepEqual(rows.flatMap(({ names }) => names).toSorted(), fieldTypes.toSorted());
      for (const { names, own } of rows) {
        const keys = names.flatMap((name) => keysOfTypes.get(name as FieldType)!);
        const missing = keys.filter((key) => !common.includes(key) && !own.includes(key));
        deepEqual(missing, [], names.join());
      }
    });

    test(`names each operator once, with the types that can be asked by it: ${language}`, () => {
      const rows = conditions.map(([names, asks]) => ({ names: codeIn(names), asks: codeIn(asks) }));
      deepEqual(rows.flatMap(({ names }) => names).toSorted(), operators.toSorted());
      const [one, several] = [typesAskedBy(sample), typesAskedBy(withSeveralColumns(sample))];
      for (const { names, asks } of rows.filter(({ names: [name] }) => name !== 'answered')) {
        const said = fieldTypes.filter((type) => asks.includes(type));
        for (const name of names)
          deepEqual(
            said,
            fieldTypes.filter((type) => one.get(name)!.has(type) || several.get(name)!.has(type)),
            name,
          );
      }
    });
  }
});
