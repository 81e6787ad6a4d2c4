import { z } from 'zod';
import { storedForm } from '../../shared/forms/forms/queries.ts';
import { storedSchema } from '../../shared/forms/forms/schema-text.ts';
import { jsonSchemaOf } from '../../shared/forms/schema/json-schema.ts';
import { versionOf, versionPage } from '../../shared/forms/versions/queries.ts';
import { FormVersion, ListedVersion } from '../../shared/forms/versions/record.ts';
import { byId, id, integerParameter } from '../../shared/kernel/schema.ts';
import { read } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { PATH } from './forms.ts';

/** As large as a number of the database. */
const MOST_NUMBER = 2_147_483_647;

const ofVersion = z.object({
  id: id('form'),
  number: integerParameter(1, MOST_NUMBER).meta({ examples: [2] }),
});

export const versions = [
  list({
    id: 'forms.versions.list',
    path: `${PATH}/:id/versions`,
    scope: 'forms:read',
    summary: 'List the versions of a form',
    description: 'The newest first, without their schemas. A version never changes.',
    params: byId('form'),
    item: ListedVersion,
    handle: async ({ params, window }, reader) => {
      await storedForm(reader, params.id);
      return versionPage(reader, params.id, window);
    },
  }),
  read({
    id: 'forms.versions.get',
    method: 'get',
    path: `${PATH}/:id/versions/:number`,
    scope: 'forms:read',
    summary: 'Read a version of a form',
    description: 'By its number, with the schema byte for byte as it was published.',
    params: ofVersion,
    reply: z.strictObject({ version: FormVersion }),
    handle: async ({ params }, reader) => ({ version: await versionOf(reader, params.id, params.number) }),
  }),
  read({
    id: 'forms.versions.json_schema',
    method: 'get',
    path: `${PATH}/:id/versions/:number/json-schema`,
    scope: 'forms:read',
    summary: 'Read the JSON Schema of a version of a form',
    description:
      'Of `data` as it is stored, by JSON Schema 2020-12: what programs that read responses can rely on. Required is what is so whatever else was answered.',
    params: ofVersion,
    reply: z
      .record(z.string(), z.unknown())
      .meta({ id: 'FormJsonSchema', examples: [{ type: 'object', required: ['kind'] }] }),
    handle: async ({ params }, reader) => {
      const { schema_json } = await versionOf(reader, params.id, params.number);
      return { ...jsonSchemaOf(storedSchema(schema_json)) };
    },
  }),
];
