import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import type { Endpoint } from '../../../api/http/endpoint.ts';
import { file, generated } from '../../../api/http/files/declarations.ts';
import { stream } from '../../../api/http/files/stream-declaration.ts';
import { openApiDocument } from '../../../api/http/openapi/document.ts';
import { byId } from '../../../shared/kernel/schema.ts';
import { pieceEndpoints } from '../../support/transfers.ts';
import { uploading } from '../../support/uploads.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is read as any reader does, as JSON.
type Json = any;

const State = z.strictObject({ status: z.enum(['running', 'done']) }).meta({ id: 'State' });
const common = { scope: 'crm:read', summary: 'Answer a file', params: byId('cont') } as const;
const served = async () => {
  throw new Error('not called');
};

/** The one operation of this endpoint. */
function operationOf(endpoint: Endpoint): Json {
  const { paths } = openApiDocument({
    endpoints: [endpoint],
    extraPaths: [],
    version: '2026-02-22',
    description: '',
  });
  return Object.values<Json>(Object.values<Json>(paths)[0])[0];
}

const heard = (operation: Json): string[] =>
  operation.parameters.filter((one: Json) => one.$ref).map((one: Json) => one.$ref.split('/').at(-1));

describe('a call that takes a file', () => {
  const { requestBody, responses, parameters } = operationOf(uploading());
  const { schema, encoding, example } = requestBody.content['multipart/form-data'];

  it('describes its form: the file with its limit, each field, and all fields together', () => {
    assert.deepEqual(Object.keys(requestBody.content), ['multipart/form-data']);
    assert.deepEqual(Object.keys(schema.properties), [
      'file',
      'list_id',
      'dry_run',
      'rows',
      'mapping',
      'options',
    ]);
    assert.deepEqual(schema.properties.file, {
      type: 'string',
      format: 'binary',
      description: '5 MiB at most.',
    });
    assert.deepEqual([schema.required, schema.additionalProperties], [['file'], false]);
    assert.deepEqual(encoding, { file: { contentType: 'application/octet-stream' } });
    assert.ok('file' in example && 'dry_run' in example);
  });

  it('hears an Idempotency-Key, and documents what can be wrong with the form', () => {
    assert.deepEqual(heard({ parameters }), ['Idempotency-Key', 'Service-Version']);
    assert.ok(['202', '400', '413', '415', '422'].every((status) => status in responses));
  });
});

describe('a call that answers a file', () => {
  const declared = { ...common, id: 'crm.contacts.card', path: '/api/v1/crm/contacts/:id/card' };
  const operation = operationOf(file({ ...declared, media_types: ['text/vcard'], handle: served }));

  it('describes the whole, a part, nothing new and no such part', () => {
    const { responses } = operation;
    const binary = { 'text/vcard': { schema: { type: 'string', format: 'binary' } } };
    assert.deepEqual(responses[200].content, binary);
    assert.deepEqual(responses[206].content, binary);
    assert.ok('304' in responses && '416' in responses && !('202' in responses));
    assert.ok('Content-Disposition' in responses[200].headers && 'Content-Range' in responses[206].headers);
  });

  it('hears ranges and conditions', () => {
    assert.deepEqual(heard(operation), ['If-Match', 'If-None-Match', 'Range', 'If-Range', 'Service-Version']);
  });
});

describe('a call whose file a worker makes', () => {
  const declared = { ...common, id: 'crm.contacts.card', path: '/api/v1/crm/contacts/:id/card' };
  const generates = { kind: 'crm.contacts.card', unit: null, media_types: ['application/pdf'] } as const;
  const operation = operationOf(
    generated({
      ...declared,
      generates,
      handle: async () => ({ key: 'card', enqueue: () => {} }),
    }),
  );

  it('describes the file and the job', () => {
    const { responses } = operation;
    assert.deepEqual(Object.keys(responses[200].content), ['application/pdf']);
    assert.equal(responses[202].content['application/json'].example.job.object, 'job');
    assert.ok('Location' in responses[202].headers && '206' in responses);
  });

  it('hears Prefer', () => assert.ok(heard(operation).includes('Prefer')));
});

describe('a call that answers a stream', () => {
  const declared = { ...common, id: 'crm.contacts.events', path: '/api/v1/crm/contacts/:id/events' };
  const operation = operationOf(
    stream({
      ...declared,
      events: { state: State },
      topic: ({ params }) => params.id,
      look: async () => ({ events: [], is_over: true }),
    }),
  );

  it('describes its events, with an example', () => {
    const content = operation.responses[200].content['text/event-stream'];
    assert.deepEqual(content['x-events'], { state: { $ref: '#/components/schemas/State' } });
    assert.match(content.example, /^id: \S+\nevent: state\ndata: \{"status":"running"\}\n\n$/);
    assert.ok('204' in operation.responses && !('304' in operation.responses));
  });

  it('hears where to go on', () => assert.deepEqual(heard(operation), ['Last-Event-ID', 'Service-Version']));
});

describe('a call of another standard', () => {
  const [options, head, , patch, , put] = pieceEndpoints;

  it('describes its bytes, and the headers that it hears and tells', () => {
    const { requestBody, parameters, responses } = operationOf(patch!);
    const bytes = { schema: { type: 'string', format: 'binary' } };
    assert.deepEqual(requestBody.content, { 'application/offset+octet-stream': bytes });
    assert.ok(parameters.some((one: Json) => one.in === 'header' && one.name === 'Upload-Offset'));
    assert.ok('Upload-Offset' in responses[204].headers && !('content' in responses[204]));
    assert.ok(['400', '413', '415'].every((status) => status in responses));
    assert.deepEqual(heard({ parameters }), ['Service-Version']);
  });

  it('has no body and no ETag where it answers headers alone', () => {
    for (const endpoint of [options!, head!]) {
      const { requestBody, responses } = operationOf(endpoint);
      const success = responses[endpoint.kind === 'transfer' ? endpoint.status : 0];
      assert.deepEqual(
        [requestBody, success.content, success.headers.ETag],
        [undefined, undefined, undefined],
      );
    }
  });

  it("names a path's rest as a parameter", () => {
    const { parameters, responses } = operationOf(put!);
    const found = parameters.find((one: Json) => one.in === 'path');
    assert.deepEqual([found.name, found.required, found.example], ['path', true, 'a/b.txt']);
    assert.ok('application/json' in responses[201].content);
  });
});
