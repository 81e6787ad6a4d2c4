import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../../api/endpoints.ts';
import { bodyOf } from '../../../api/http/endpoint.ts';
import { fieldErrorsOf } from '../../../api/http/field-errors.ts';
import { failures } from '../../../shared/domains.ts';
import { textOfMessage } from '../../../shared/kernel/language.ts';
import { startApp } from '../../support/app.ts';

const app = await startApp();
const client = await app.actor();

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

function answered(accept: string) {
  return client.post('/crm/contacts', { first_name: '', email: 'x' }, { 'Accept-Language': accept });
}

describe('errors speak the language that the caller prefers', () => {
  for (const [accept, language] of [
    ['ja', 'ja'],
    ['ja-JP,en;q=0.5', 'ja'],
    ['en;q=0.4,ja;q=0.9', 'ja'],
    ['fr,ja;q=0.1', 'ja'],
    ['en', 'en'],
    ['fr', 'en'],
    ['*', 'en'],
    ['ja;q=0', 'en'],
  ]) {
    test(`${accept}: ${language}`, async () => {
      const { body, headers } = await answered(accept!);
      assert.equal(headers.get('Content-Language'), language);
      assert.match(headers.get('Vary') ?? '', /Accept-Language/);
      const sentences = [
        body.title,
        body.detail,
        ...body.errors.map(({ message }: { message: string }) => message),
      ];
      for (const sentence of sentences) assert.equal(JAPANESE.test(sentence), language === 'ja', sentence);
    });
  }

  test('codes and places stay', async () => {
    const [ja, en] = [await answered('ja'), await answered('en')];
    const known = ({ code, errors }: (typeof ja)['body']) => [
      code,
      errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
    ];
    assert.deepEqual(known(ja.body), known(en.body));
    assert.equal(ja.body.errors[0].message, 'first_name を入力してください');
  });
});

test('a refusal that was kept for its Idempotency-Key stays in its language, and says which', async () => {
  const asked = (language: string) => ({ 'Idempotency-Key': 'kept', 'Accept-Language': language });
  await client.post('/crm/tags', { name: '重要' });
  const first = await client.post('/crm/tags', { name: '重要' }, asked('ja'));
  assert.deepEqual([first.status, first.headers.get('Content-Language')], [409, 'ja']);
  const again = await client.post('/crm/tags', { name: '重要' }, asked('en'));
  assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('Content-Language'), 'ja');
  assert.match(again.headers.get('Vary') ?? '', /Accept-Language/);
});

test('rules between parameters, and rules of names, are told in words', async () => {
  const told = async (path: string) =>
    (await client.get(path, { 'Accept-Language': 'ja' })).body.errors.map(
      ({ message }: { message: string }) => message,
    );
  assert.deepEqual(await told('/events?limit=500'), [
    'limit は100以下（order=asc では1,000以下）で指定してください',
  ]);
  assert.deepEqual(await told('/events?types=nope'), [
    'types にはイベントの種類を指定してください："nope" はありません',
  ]);
  assert.deepEqual(await told('/events?types=crm.*&type=crm.deal.created'), [
    'types は type と同時に指定できません',
  ]);
  const { body } = await client.post('/crm/companies', { name: '山田商店', metadata: { 'a b': 'x' } });
  assert.deepEqual(
    body.errors.map(({ path, message }: { path: string; message: string }) => [path, message]),
    [['/metadata/a b', 'metadata.a b must be 1 to 40 of the characters A-Z a-z 0-9 _ . -']],
  );
});

test('every failure has a title and a help in both languages', () => {
  for (const [code, { title, help }] of Object.entries(failures)) {
    for (const { en, ja } of [title, help]) {
      assert.match(ja, JAPANESE, code);
      assert.doesNotMatch(en, JAPANESE, code);
    }
  }
});

type Node = { _zod?: { def: Record<string, unknown> }; [key: string]: unknown };

/** The messages that rules of a schema were given, at any depth. */
function messagesIn(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const def = (schema as Node)._zod?.def;
  if (def) {
    const error = def.error as ((issue: object) => unknown) | undefined;
    const said = error?.({ code: 'custom', input: 'x', path: [] });
    const own = typeof said === 'string' ? [said] : [];
    return [...own, ...Object.values(def).flatMap((part) => messagesIn(part, seen))];
  }
  const parts = schema instanceof Map ? [...schema.values()] : Object.values(schema);
  return parts.flatMap((part) => messagesIn(part, seen));
}

test('every message of a rule of a request has both languages', () => {
  const schemas = endpoints.flatMap((endpoint) => [endpoint.query, bodyOf(endpoint)]);
  const messages = messagesIn(schemas);
  assert.ok(messages.length > 50, `${messages.length} messages were found`);
  assert.deepEqual(
    messages.filter((message) => textOfMessage(message) === null),
    [],
  );
});

test('a pattern without words of its own is shown', () => {
  const input = { code: 'x' };
  const { error } = z.strictObject({ code: z.string().regex(/^[A-Z]{3}$/) }).safeParse(input);
  assert.deepEqual(
    fieldErrorsOf(error!, 'body', input).map(({ message }) => message),
    [
      {
        en: 'code must match the pattern ^[A-Z]{3}$',
        ja: 'code は次のパターンに一致する必要があります：^[A-Z]{3}$',
      },
    ],
  );
});
