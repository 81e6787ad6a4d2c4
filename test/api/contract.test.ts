import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { before, describe, test } from 'node:test';
import type { z } from 'zod';
import { endpoints } from '../../api/endpoints.ts';
import { scopesOf } from '../../api/http/access.ts';
import { bodyOf as bodySchemaOf, type Endpoint } from '../../api/http/endpoint.ts';
import type { UploadEndpoint } from '../../api/http/files/declarations.ts';
import { formLimitOf } from '../../api/http/files/upload.ts';
import { takesIfMatch } from '../../api/http/openapi/failures.ts';
import { openApi } from '../../api/openapi.ts';
import { scopes } from '../../shared/domains.ts';
import type { Scope } from '../../shared/kernel/scope.ts';
import { startApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { contractOfLinks } from '../support/link-contract.ts';
import { pdfOfPages } from '../support/made-pdfs.ts';

/** What every endpoint promises, whatever it does: derived from the list, so a new one is covered on its first day. */
let minutes_on = 0;
const app = await startApp({ now: () => new Date(Date.now() + minutes_on * 60_000) });
const owner = await app.actor();

test('every endpoint has an ID, a method and a path of its own', () => {
  const ids = endpoints.map(({ id }) => id);
  const calls = endpoints.map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(new Set(calls).size, calls.length);
});

for (const endpoint of endpoints) {
  const { id, method, scope } = endpoint;
  const isPublic = scope === 'public' || scope === 'visitor' || scope === 'organization';
  const isOfLink = scope === 'link';
  const isPerson = endpoint.session === true || scope === 'account';

  /** The answer to HEAD has no body. */
  function refusedWith(reply: Reply, code: string): void {
    if (method === 'head') assert.equal(reply.text, '');
    else assert.equal(reply.body.code, code);
  }

  describe(id, () => {
    if (isOfLink) {
      // Each is tried with tokens that open nothing, of which an address has sixty a minute.
      before(() => {
        minutes_on += 2;
      });
      contractOfLinks(app, endpoint, () => bodyOf(endpoint));
    }

    if (!isPublic && !isOfLink) {
      test('401 without credentials', async () => {
        const reply = await app.anonymous.send(method, pathOf(endpoint), bodyOf(endpoint));
        assert.equal(reply.status, 401, reply.text);
        refusedWith(reply, 'missing_credentials');
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
      });
    }

    if (isPerson) {
      test('403 for a key, whatever its scopes', async () => {
        const reply = await owner.send(method, pathOf(endpoint), bodyOf(endpoint));
        assert.equal(reply.status, 403, reply.text);
        refusedWith(reply, 'session_required');
      });
    }

    for (const needed of isPerson ? [] : scopesOf(endpoint)) {
      test(`403 with every scope but ${needed}`, async () => {
        const reply = await (
          await lacking(needed, endpoint.either_scope ?? endpoint.either_domain_scope)
        ).send(method, pathOf(endpoint), bodyOf(endpoint));
        assert.equal(reply.status, 403, reply.text);
        refusedWith(reply, 'insufficient_scope');
        if (method !== 'head') assert.equal(reply.body.required_scope, needed);
      });
    }

    if (!isPerson && !isOfLink) {
      test('422 for a parameter that it does not have', async () => {
        const client = isPublic ? app.anonymous : owner;
        const reply = await client.send(method, `${pathOf(endpoint)}?no_such_parameter=1`, bodyOf(endpoint));
        assert.equal(reply.status, 422, reply.text);
        if (method !== 'head') assert.ok(codesOf(reply).includes('unknown_parameter'), reply.text);
      });

      test('400 for a version that does not exist', async () => {
        const client = isPublic ? app.anonymous : owner;
        const headers = { 'Service-Version': '1999-01-01' };
        const reply = await client.send(method, pathOf(endpoint), bodyOf(endpoint), headers);
        assert.equal(reply.status, 400, reply.text);
        refusedWith(reply, 'invalid_version');
      });
    }

    if (!isPerson && !isOfLink && endpoint.kind === 'upload' && endpoint.file.raw !== 'only') {
      contractOfForms(endpoint, isPublic ? app.anonymous : owner);
    }

    if (
      !isPerson &&
      !isOfLink &&
      (endpoint.kind === 'write' || endpoint.kind === 'stepwise') &&
      method !== 'get'
    ) {
      test('422 for a field that it does not have', async () => {
        const client = isPublic ? app.anonymous : owner;
        const body = { ...(bodyOf(endpoint) as object), no_such_field: 1 };
        const reply = await client.send(method, pathOf(endpoint), body);
        assert.equal(reply.status, 422, reply.text);
        assert.ok(codesOf(reply).includes('unknown_field'), reply.text);
      });

      test('400 for a body that is not JSON, 415 for one that does not say it is', async () => {
        const client = isPublic ? app.anonymous : owner;
        const broken = await client.send(method, pathOf(endpoint), '{"name": ');
        assert.equal(broken.status, 400, broken.text);
        const typed = await client.send(method, pathOf(endpoint), '<a/>', { 'Content-Type': 'text/xml' });
        assert.equal(typed.status, 415, typed.text);
      });
    }

    if (!isPublic && !isPerson && !isOfLink && endpoint.path.includes(':id')) {
      test('404 for an ID that the organization does not have, or that is none', async () => {
        const missing = await owner.send(method, pathOf(endpoint), bodyOf(endpoint), headersOf(endpoint));
        assert.equal(missing.status, 404, missing.text);
        refusedWith(missing, 'not_found');
        const none = await owner.send(
          method,
          endpoint.path.replace('/api/v1', '').replace(':id', "x'--"),
          bodyOf(endpoint),
        );
        assert.equal(none.status, 404, none.text);
      });
    }

    test('every answer carries what all answers carry', async () => {
      const reply = await owner.send(method, `${pathOf(endpoint)}?no_such_parameter=1`, bodyOf(endpoint));
      assert.match(reply.headers.get('request-id') ?? '', /^req_/);
      assert.match(reply.headers.get('service-version') ?? '', /^\d{4}-\d{2}-\d{2}$/);
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
      if (!isPublic) assert.equal(reply.headers.get('cache-control'), 'no-store');
      if (method !== 'head') assert.equal(reply.body.request_id, reply.headers.get('request-id'));
    });

    test('is documented with examples and its errors', () => {
      const path = endpoint.path.replace(/[:*](\w+)/g, '{$1}');
      const operation = (openApi().paths as Record<string, Record<string, { responses: object }>>)[path]?.[
        method
      ];
      assert.ok(operation, `${method} ${path} is not in the OpenAPI text`);
      assert.ok('422' in operation.responses);
      const speaks = endpoint.raises?.includes('tus_version') ?? false;
      assert.equal('412' in operation.responses, takesIfMatch(endpoint) || speaks);
    });
  });
}

/** The documented examples of the headers that a call of another standard hears. */
function headersOf(endpoint: Endpoint): Record<string, string> {
  if (endpoint.kind !== 'transfer') return {};
  const heard = Object.entries(endpoint.hears ?? {}).map(([name, { example }]) => [name, example] as const);
  return Object.fromEntries(heard);
}

/** A path with an ID of the right form that names nothing. */
function pathOf(endpoint: Endpoint): string {
  const path = endpoint.path.replace('/api/v1', '');
  return path.replace(/[:*](\w+)/g, (_, name: string) => {
    // Whose page it is must be known before anything else is looked at.
    if (name === 'orgSlug') return owner.actor.organization_id.replace('_', '-');
    const schema = endpoint.params?.shape[name] as z.ZodType | undefined;
    const example = String((schema?.meta()?.examples as unknown[] | undefined)?.[0] ?? 'missing');
    // Another one than the examples of bodies name; a date stays one, and a number.
    if (/^(\d{4}-\d{2}-\d{2}|\d+)$/.test(example)) return example;
    return `${example.slice(0, -1)}z`;
  });
}

/** What each endpoint that takes a file promises. */
function contractOfForms(endpoint: UploadEndpoint, client: Client): void {
  const { method, file } = endpoint;
  const path = pathOf(endpoint);
  const withFile = (more = {}) => formOf(endpoint, more);

  test('422 for a field that it does not have, for no file, for one too many and for an empty one', async () => {
    const unknown = withFile({ no_such_field: '1' });
    const { most = 1 } = file;
    const beyond = withFile();
    for (let more = 1; more <= most; more += 1) beyond.append(file.field, fileOf(endpoint), `${more}.csv`);
    const none = withFile();
    none.delete(file.field);
    const empty = withFile();
    empty.set(file.field, new Blob([]), 'empty.csv');
    for (const [form, at, code] of [
      [unknown, '/no_such_field', 'unknown_field'],
      [beyond, `/${file.field}`, most === 1 ? 'repeated_field' : 'too_many'],
      [none, `/${file.field}`, 'required'],
      ...(file.may_be_empty ? [] : ([[empty, `/${file.field}`, 'empty_file']] as const)),
    ] as const) {
      const reply = await client.send(method, path, form);
      assert.equal(reply.status, 422, reply.text);
      const faults = reply.body.errors.map((fault: { path: string; code: string }) => [
        fault.path,
        fault.code,
      ]);
      assert.ok(
        faults.some(([where, what]: string[]) => where === at && what === code),
        reply.text,
      );
    }
  });

  test('400 for a form that is not whole, 415 for what is no form, 413 for what is too large', async () => {
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const broken = await client.send(method, path, '--x\r\nContent-Disposition: form-data', type);
    assert.deepEqual([broken.status, broken.body.code], [400, 'malformed_form'], broken.text);
    const other = { 'Content-Type': 'text/xml' };
    const typed = await client.send(method, path, '<a/>', other);
    assert.deepEqual([typed.status, typed.body.code], [415, 'unsupported_media_type'], typed.text);
    const json = await client.send(method, path, { no_such_field: 1 });
    const refused = endpoint.or ? [422, 'validation_failed'] : [415, 'unsupported_media_type'];
    assert.deepEqual([json.status, json.body.code], refused, json.text);
    assert.equal(await statusOfLarge(method, path, formLimitOf(endpoint) + 1), 413);
  });
}

/** What a form of that many bytes is answered before any of them is sent. */
async function statusOfLarge(method: string, path: string, bytes: number): Promise<number | undefined> {
  const sent = request(`${app.base_url}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': bytes },
  });
  sent.on('error', () => undefined).flushHeaders();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  sent.destroy();
  return reply.statusCode;
}

/** The documented example of the form, with a small file behind its other fields. */
function formOf(endpoint: UploadEndpoint, more: Record<string, string> = {}): FormData {
  const path = endpoint.path.replace(/[:*](\w+)/g, '{$1}');
  // biome-ignore lint/suspicious/noExplicitAny: a walk through the OpenAPI text.
  const operation = (openApi().paths as any)[path][endpoint.method];
  const { [endpoint.file.field]: _, ...fields } =
    operation.requestBody.content['multipart/form-data'].example;
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...more }))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  form.append(endpoint.file.field, fileOf(endpoint), '顧客.csv');
  return form;
}

/** A file whose content the endpoint takes. */
function fileOf({ file: { accepts = [] } }: UploadEndpoint): Blob {
  if (accepts.join() === 'pdf') return new Blob([new Uint8Array(pdfOfPages([{}]))]);
  return new Blob([accepts.includes('png') ? ONE_PIXEL : 'email\nhanako.yamada@example.co.jp\n']);
}

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The documented example of the body; nothing for reads. */
function bodyOf(endpoint: Endpoint): unknown {
  if (endpoint.kind === 'upload')
    return endpoint.file.raw === 'only' ? new Uint8Array([1]) : formOf(endpoint);
  if (!bodySchemaOf(endpoint)) return undefined;
  const path = endpoint.path.replace(/[:*](\w+)/g, '{$1}');
  // biome-ignore lint/suspicious/noExplicitAny: a walk through the OpenAPI text.
  const operation = (openApi().paths as any)[path][endpoint.method];
  const { example, examples } = operation.requestBody.content['application/json'];
  return example ?? (Object.values(examples)[0] as { value: unknown }).value;
}

const lackingClients = new Map<string, ReturnType<typeof app.actor>>();

/** A caller with every scope but one, and but the one that would do in its place. */
function lacking(scope: Scope, instead?: Scope): ReturnType<typeof app.actor> {
  // `jobs:read` comes with any scope, so only a key without any lacks it.
  const key = `${scope} ${instead ?? ''}`;
  const rest = scope === 'jobs:read' ? [] : scopes.filter((each) => each !== scope && each !== instead);
  const known = lackingClients.get(key) ?? app.actor({ scopes: rest });
  lackingClients.set(key, known);
  return known;
}

function codesOf(reply: { body: { code: string; errors?: { code: string }[] } }): string[] {
  return [reply.body.code, ...(reply.body.errors ?? []).map(({ code }) => code)];
}
