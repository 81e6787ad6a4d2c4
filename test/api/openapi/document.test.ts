import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../../api/endpoints.ts';
import { type Endpoint, read, write } from '../../../api/http/endpoint.ts';
import { list } from '../../../api/http/list.ts';
import { openApiDocument } from '../../../api/http/openapi/document.ts';
import { documentedFailures } from '../../../api/http/openapi/failures.ts';
import { openApi } from '../../../api/openapi.ts';
import { failures, scopes, shownCode } from '../../../shared/domains.ts';
import { byId, decimalInput, integerParameter } from '../../../shared/kernel/schema.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is read as any reader does, as JSON.
type Json = any;

const Person = z
  .strictObject({ name: z.string().meta({ examples: ['林'] }), age: z.int().nullable() })
  .meta({ id: 'Person' });

const declared = {
  id: 'crm.people.create',
  method: 'post',
  path: '/api/v1/crm/people',
  scope: 'crm:write',
  summary: 'Create a person',
  body: Person,
  status: 201,
  reply: z.strictObject({ person: Person }),
} as const;

/** Describes endpoints, as they are put together from these parts. */
function describing(...list: Endpoint[]): Json {
  return openApiDocument({ endpoints: list, extraPaths: [], version: '2026-02-22', description: '' });
}

function creating(difference: object): Endpoint {
  return write({ ...declared, handle: async ({ body }) => ({ person: body }), ...difference });
}

/** Access without credentials. */
const OPEN: readonly string[] = ['public', 'link', 'organization'];

describe('the OpenAPI text', () => {
  const document: Json = openApi();
  const operations: Json[] = Object.values(document.paths).flatMap((path) => Object.values(path as object));

  it('holds every endpoint under its method, its path and its ID', () => {
    for (const { id, method, path } of endpoints) {
      const operation = document.paths[path.replace(/[:*](\w+)/g, '{$1}')]?.[method];
      assert.equal(operation?.operationId, id, `${method} ${path}`);
    }
  });

  it('names each operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    assert.deepEqual(ids, [...new Set(ids)]);
  });

  it('documents every error that the declaration promises, each with an example', () => {
    for (const endpoint of endpoints) {
      const operation = document.paths[endpoint.path.replace(/[:*](\w+)/g, '{$1}')][endpoint.method];
      const shown = Object.values<Json>(operation.responses)
        .map((response) => (response.$ref ? atRef(document, response.$ref) : response))
        .flatMap((response) => Object.keys(response.content?.['application/problem+json']?.examples ?? {}));
      assert.deepEqual(new Set(shown), new Set(documentedFailures(endpoint)), endpoint.id);
    }
  });

  it('gives each error the title of the table', () => {
    for (const [name, { value }] of Object.entries<Json>(document.components.examples)) {
      const code = name.replace('problem.', '') as keyof typeof failures;
      assert.equal(value.code, shownCode(code));
      assert.equal(value.title, failures[code].title.en);
      assert.equal(value.status, failures[code].status);
    }
  });

  it('shows in each example of an answer what the call may really answer', () => {
    for (const endpoint of endpoints) {
      if (!('reply' in endpoint) || !endpoint.reply) continue;
      const operation = document.paths[endpoint.path.replace(/[:*](\w+)/g, '{$1}')][endpoint.method];
      const status = 'status' in endpoint ? (endpoint.status ?? 200) : 200;
      const { example, examples = {} } = operation.responses[status].content['application/json'];
      const forms = Object.values<Json>(examples).map(({ value }) => value);
      for (const shown of example === undefined ? forms : [example]) {
        const parsed: { success: boolean; error?: unknown } = endpoint.reply.safeParse(shown);
        assert.ok(parsed.success, `${endpoint.id}: ${parsed.error}`);
      }
    }
  });

  it('says of each call, in a sentence of its own, what its summary does not', () => {
    const shared = /^(Needs |Answers in one of three forms)/;
    const silent = Object.values<Json>(document.paths)
      .flatMap((path) => Object.values<Json>(path))
      .filter(({ summary, description = '' }) => {
        const own = description.split('\n\n').filter((part: string) => part && !shared.test(part));
        return own.length === 0 || own.some((part: string) => part.replace(/\.$/, '') === summary);
      })
      .map(({ operationId }) => operationId);
    assert.deepEqual(silent, []);
  });

  it('names the scope of each call that needs one', () => {
    for (const { id, scope, domain_scope, method, path } of endpoints) {
      const operation = document.paths[path.replace(/[:*](\w+)/g, '{$1}')][method];
      const isScope = scope.includes(':');
      assert.equal(operation['x-required-scope'], isScope ? scope : undefined, id);
      assert.equal(operation['x-required-domain-scope'], domain_scope, id);
      assert.equal(operation.security.length === 0, OPEN.includes(scope), id);
    }
  });
});

describe('a call in the OpenAPI text', () => {
  it('takes closed bodies and gives open answers, under two names where they differ', () => {
    const { components, paths } = describing(creating({}));
    assert.equal(components.schemas.PersonInput.additionalProperties, false);
    assert.equal('additionalProperties' in components.schemas.Person, false);
    const { requestBody, responses } = paths['/api/v1/crm/people'].post;
    assert.deepEqual(requestBody.content['application/json'].schema, {
      $ref: '#/components/schemas/PersonInput',
    });
    assert.deepEqual(requestBody.content['application/json'].example, { name: '林', age: 1 });
    assert.deepEqual(responses[201].content['application/json'].example, { person: { name: '林', age: 1 } });
    assert.deepEqual(responses[201].headers.Location, { $ref: '#/components/headers/Location' });
  });

  it('shows a parameter as callers send it, not as it is parsed', () => {
    const { paths } = describing(
      read({
        id: 'crm.people.find',
        method: 'get',
        path: '/api/v1/crm/people/:id',
        scope: 'crm:read',
        summary: 'Find a person',
        params: byId('cont'),
        query: z.strictObject({
          size: integerParameter(1, 5).describe('How many.').optional(),
          amount: decimalInput(),
        }),
        reply: z.strictObject({ found: z.boolean() }),
        handle: async () => ({ found: true }),
      }),
    );
    const { parameters } = paths['/api/v1/crm/people/{id}'].get;
    const named = (name: string) => parameters.find((one: Json) => one.name === name);
    assert.deepEqual(named('size').schema, { type: 'integer', minimum: 1, maximum: 5 });
    assert.equal(named('size').description, 'How many.');
    assert.equal(named('amount').required, true);
    assert.deepEqual(named('amount').schema.type, ['string', 'number']);
    assert.equal(named('id').in, 'path');
  });

  it('hears the headers of its kind', () => {
    const heard = (endpoint: Endpoint) => {
      const { paths } = describing(endpoint);
      const [operation] = Object.values<Json>(Object.values<Json>(paths)[0]);
      return operation.parameters
        .filter((one: Json) => one.$ref)
        .map((one: Json) => one.$ref.split('/').at(-1));
    };
    assert.deepEqual(heard(creating({})), ['Idempotency-Key', 'Service-Version']);
    assert.deepEqual(heard(creating({ scope: 'public' })), ['Service-Version']);
    const single = { path: '/api/v1/crm/people/:id', params: byId('cont') };
    assert.deepEqual(heard(creating({ ...single, method: 'patch' })), ['If-Match', 'Service-Version']);
    assert.deepEqual(heard(creating({ ...single, path: `${single.path}/send` })), [
      'Idempotency-Key',
      'If-Match',
      'Service-Version',
    ]);
  });

  it('shows a list in its three forms, each with an example', () => {
    const { paths } = describing(
      list({
        id: 'crm.people.list',
        path: '/api/v1/crm/people',
        scope: 'crm:read',
        summary: 'List people',
        item: Person,
        handle: async () => ({ rows: [], total: 0, has_more: false }),
      }),
    );
    const { schema, examples } = paths['/api/v1/crm/people'].get.responses[200].content['application/json'];
    assert.equal(schema.oneOf.length, 3);
    assert.deepEqual(Object.keys(examples), ['offset', 'page', 'cursor']);
    assert.deepEqual(examples.cursor.value, { data: [{ name: '林', age: 1 }], has_more: false });
  });

  it('says who may call', () => {
    const described = (difference: object) =>
      describing(creating(difference)).paths['/api/v1/crm/people'].post;
    assert.match(described({}).description, /Needs the scope `crm:write`/);
    assert.deepEqual(described({}).security, [{ api_key: [] }, { session: [] }]);
    assert.deepEqual(described({ session: true }).security, [{ session: [] }]);
    assert.deepEqual(described({ scope: 'account' }).security, [{ session: [] }]);
    assert.match(described({ scope: 'public' }).description, /Needs no credentials/);
  });
});

describe('the text is refused', () => {
  const nameless = z.strictObject({ name: z.string() });

  it('for a call without a summary', () => {
    assert.throws(() => describing(creating({ summary: ' ' })), /crm\.people\.create has no summary/);
  });

  it('for a body without an example, naming the field', () => {
    assert.throws(
      () => describing(creating({ body: nameless })),
      /crm\.people\.create body\/name has no example/,
    );
  });

  it('for a reply without an example, naming the field', () => {
    assert.throws(
      () => describing(creating({ reply: z.strictObject({ person: nameless }) })),
      /crm\.people\.create reply\/person\/name has no example/,
    );
  });

  it('for a call without documented errors', () => {
    const plain = { id: 'health.nothing', method: 'get', path: '/nothing', access: 'public' } as const;
    const extraPaths = [{ ...plain, summary: 'Nothing', reply: Person, failures: [] }];
    assert.throws(
      () => openApiDocument({ endpoints: [], extraPaths, version: '2026-02-22', description: '' }),
      /health\.nothing documents no error/,
    );
  });

  it('for a part of the API that no tag describes', () => {
    assert.throws(() => describing(creating({ id: 'zoo.animals.create' })), /describes "zoo"/);
  });

  it('for two calls with one ID', () => {
    assert.throws(() => describing(creating({}), creating({ path: '/api/v1/other' })), /Two endpoints/);
  });

  it('for a path parameter without a schema', () => {
    assert.throws(() => describing(creating({ path: '/api/v1/crm/:kind' })), /the path names kind/);
  });

  it('with all that is wrong at once', () => {
    const bad = creating({ id: 'crm.a', summary: '' });
    const worse = creating({ id: 'crm.b', path: '/api/v1/other', summary: '' });
    assert.throws(() => describing(bad, worse), /crm\.a has no summary\ncrm\.b has no summary/);
  });
});

function atRef(document: Json, ref: string): Json {
  return ref
    .slice(2)
    .split('/')
    .reduce((value, step) => value[step], document);
}

test('the list of grants is that of the scopes and everything', () => {
  const { items } = (openApi().components.schemas as Json).ApiKey.properties.scopes;
  assert.deepEqual([...items.enum].sort(), ['*', ...scopes].sort());
});
