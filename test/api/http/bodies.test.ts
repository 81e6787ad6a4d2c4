import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { stepwise } from '../../../api/http/endpoint.ts';
import { parseJson } from '../../../api/http/json.ts';
import type { Failure } from '../../../shared/kernel/failure.ts';
import { startApp } from '../../support/app.ts';
import { visitor } from '../../support/forms.ts';
import { formWith, uploading } from '../../support/uploads.ts';

/** An object with so many members, each of another name. */
const named = (count: number) => `{${Array.from({ length: count }, (_, at) => `"n${at}" : 0`).join()}}`;

const roomy = stepwise({
  id: 'crm.notes.create',
  method: 'post',
  path: '/api/v1/crm/notes',
  scope: 'public',
  body_limits: { bytes: 64 * 1024, values: 25_000 },
  summary: 'Take notes',
  body: z.strictObject({ notes: z.array(z.int()) }),
  reply: z.strictObject({ count: z.int() }),
  handle: async ({ body }) => ({ count: body.notes.length }),
});

const app = await startApp();
const small = await startApp({ endpoints: [roomy, uploading()] });
const client = await app.actor();

const SIGN_IN = '/auth/sign-in/email';
const numbers = (count: number) => `[${Array(count).fill(1).join()}]`;
const namesOf = ({ body }: { body: { errors: { path: string; code: string }[] } }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`).sort();

describe('the bytes of a body', () => {
  const limits: [string, string, number][] = [
    ['a visitor', SIGN_IN, 16],
    ['a visitor', '/auth/sign-up/email', 16],
    ['a visitor', '/auth/request-password-reset', 16],
    ['a visitor', '/invitations/accept', 16],
  ];
  for (const [who, path, kibibytes] of limits) {
    test(`of ${who} at ${path} are at most ${kibibytes} KiB`, async () => {
      const within = `{"x":"${'x'.repeat(kibibytes * 1024 - 8)}"}`;
      assert.equal((await app.anonymous.post(path, within)).status, 422);
      const beyond = await app.anonymous.post(path, `${within} `);
      assert.deepEqual([beyond.status, beyond.body.code], [413, 'body_too_large']);
      assert.match(beyond.body.detail, /16 KiB/);
    });
  }

  test('of a form of a page are at most 16 KiB', async () => {
    const person = visitor(app);
    const fields = { email: 'a@example.co.jp', password: 'x'.repeat(16 * 1024) };
    assert.equal((await person.send('/sign-in', fields)).status, 413);
  });

  test('of a caller with an organization are at most 1 MiB', async () => {
    const text = 'x'.repeat(1024 * 1024 - 100);
    assert.equal((await client.post('/crm/contacts', { first_name: text })).status, 422);
    const beyond = await client.post('/crm/contacts', { first_name: `${text}${'x'.repeat(200)}` });
    assert.deepEqual([beyond.status, beyond.body.detail], [413, 'The body may have 1 MiB']);
  });

  test('are those that an endpoint declares for itself', async () => {
    const reply = await small.anonymous.post('/crm/notes', `{"notes":${numbers(24_999)}}`);
    assert.deepEqual([reply.status, reply.body], [200, { count: 24_999 }]);
    const values = await small.anonymous.post('/crm/notes', `{"notes":${numbers(25_000)}}`);
    assert.deepEqual([values.status, values.body.code], [413, 'too_many_values']);
    const bytes = await small.anonymous.post('/crm/notes', `{"notes":${numbers(10)}${' '.repeat(65_536)}}`);
    assert.deepEqual([bytes.status, bytes.body.detail], [413, 'The body may have 64 KiB']);
  });
});

describe('the values of a body', () => {
  const many: [string, string, number][] = [
    ['elements', numbers(20_000), 422],
    ['elements', numbers(20_001), 413],
    ['elements beside a fraction', `[1.5${',1'.repeat(20_000)}]`, 413],
    ['objects', `[${Array(20_001).fill('{}').join()}]`, 413],
    ['members', `{${Array.from({ length: 20_001 }, (_, n) => `"k${n}":1`).join()}}`, 413],
    ['arrays in an array', `[${Array(10_001).fill('[1]').join()}]`, 413],
    ['commas in a text', JSON.stringify({ first_name: '[,{,'.repeat(20_000) }), 422],
    ['commas after an escaped quote', JSON.stringify({ first_name: `\\"${',"'.repeat(30_000)}` }), 422],
    ['commas that make no JSON', ','.repeat(30_000), 413],
  ];
  for (const [name, body, status] of many) {
    test(`${name}, ${body.length} bytes: ${status}`, async () => {
      const reply = await client.post('/crm/contacts', body);
      assert.deepEqual(
        [reply.status, reply.body.code],
        [status, status === 413 ? 'too_many_values' : 'validation_failed'],
      );
    });
  }

  test('of a call that takes more of them have 20,000 names at most, in all objects together', () => {
    const codeOf = (text: string) => {
      try {
        parseJson(text, 1_000_000);
        return null;
      } catch (error) {
        return (error as Failure).code;
      }
    };
    assert.equal(codeOf(named(20_000)), null);
    assert.equal(codeOf(named(20_001)), 'too_many_values');
    assert.equal(codeOf(`[${named(20_000)},{"another":0}]`), 'too_many_values');
    assert.equal(codeOf(`[${Array(100).fill(named(500)).join()}]`), null);
    const texts = Array.from({ length: 30_000 }, (_, at) => `"n${at}"`);
    assert.equal(codeOf(`{"a":[${texts.join()}]}`), null);
  });

  test('are counted in the JSON of a form too', async () => {
    const sender = await small.actor();
    const reply = await sender.post('/mail/files', formWith('a,b', { mapping: numbers(20_001) }));
    assert.deepEqual([reply.status, reply.body.code], [413, 'too_many_values']);
  });

  test('that are wrong are told a hundred times at most', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 19_000 }, (_, n) => [`field_${n}`, 1]));
    const reply = await client.post('/crm/contacts', unknown);
    assert.deepEqual([reply.status, reply.body.errors.length], [422, 100]);
    const custom_fields = `{${Array.from({ length: 500 }, (_, n) => `"k${n}":{"constructor":1}`).join()}}`;
    const inner = await client.post('/crm/contacts', `{"custom_fields":${custom_fields}}`);
    assert.deepEqual([inner.status, inner.body.errors.length], [422, 100]);
  });
});

describe('the levels of a body', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  test('are 64 at most: 400', async () => {
    const most = await client.post('/crm/contacts', nested(64));
    assert.deepEqual([most.status, most.body.code], [422, 'validation_failed']);
    for (const body of [nested(65), nested(19_000), '['.repeat(500_000)]) {
      const reply = await client.post('/crm/contacts', body);
      assert.deepEqual([reply.status, reply.body.code], [400, 'malformed_json']);
      assert.match(reply.body.detail, /64 deep/);
    }
  });

  test('brackets in a text are none', async () => {
    const reply = await client.post('/crm/contacts', { first_name: '[{'.repeat(40), last_name: 'b' });
    assert.equal(reply.status, 201, reply.text);
  });
});

describe('an answer is small', () => {
  const refused = `[${Array(100).fill('{"__proto__":1}').join()}]`;
  const long = 'x'.repeat(900_000);
  for (const [name, body] of [
    ['a hundred refused names far below', `${'{"a":'.repeat(60)}${refused}${'}'.repeat(60)}`],
    ['a hundred refused names below a name of 900,000 letters', `{"${long}":${refused}}`],
    [
      'a hundred below sixty long names',
      `${`{"${'y'.repeat(10_000)}":`.repeat(60)}${refused}${'}'.repeat(60)}`,
    ],
    ['an unknown name of 900,000 letters', `{"${long}":1}`],
    ['a wrong value below a name of 900,000 letters', `{"custom_fields":{"${long}":[{}]}}`],
  ] as const) {
    test(`for ${name}`, async () => {
      const reply = await client.post('/crm/contacts', body);
      assert.equal(reply.status, 422);
      assert.ok(reply.text.length < 150_000, `${reply.text.length} bytes`);
    });
  }
});

describe('numbers in open values', () => {
  const kept: [string, string | number][] = [
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['12345678901234567', '12345678901234567'],
    ['12345678901234567890', '12345678901234567890'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['0.1', 0.1],
    ['12345678901234567.5', '12345678901234567.5'],
  ];
  test('are exact, wherever they stand', async () => {
    const defined = await client.post('/crm/custom-fields', {
      kind: 'contact',
      key: 'n',
      label: 'N',
      type: 'number',
    });
    assert.equal(defined.status, 201, defined.text);
    for (const [source, shown] of kept) {
      const first = `{"custom_fields":{"n":${source}},"first_name":"a","last_name":"b"}`;
      const last = `{"first_name":"a","last_name":"b","custom_fields": { "n" : ${source} } }`;
      for (const body of [first, last]) {
        const made = await client.post('/crm/contacts', body);
        assert.equal(made.status, 201, made.text);
        assert.equal(made.body.contact.custom_fields.n, shown, source);
        const read = await client.get(`/crm/contacts/${made.body.contact.id}`);
        assert.equal(read.body.contact.custom_fields.n, shown, source);
      }
      const inArray = await client.post(
        '/crm/contacts',
        `{"first_name":"a","last_name":"b","custom_fields":{"n":[${source}]}}`,
      );
      assert.deepEqual(namesOf(inArray), ['/custom_fields/n invalid_decimal']);
    }
  });
});

describe('names that every object has', () => {
  const REFUSED = ['__proto__', 'constructor', 'prototype'];
  test('are refused in open objects, by name', async () => {
    for (const name of REFUSED) {
      const escaped = `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
      for (const sent of [name, escaped]) {
        for (const value of ['1', '1.5', 'null', '{"x":1}']) {
          const body = `{"first_name":"a","last_name":"b","custom_fields":{"${sent}":${value}}}`;
          const reply = await client.post('/crm/contacts', body);
          assert.equal(reply.status, 422, body);
          assert.deepEqual(namesOf(reply), [`/custom_fields/${name} unknown_field`], body);
        }
      }
    }
  });

  test('are refused as the fields of an object, beside its other faults', async () => {
    const reply = await client.post('/crm/contacts', '{"__proto__":{"a":1},"toString":1,"last_name":5}');
    assert.deepEqual(namesOf(reply), [
      '/__proto__ unknown_field',
      '/first_name required',
      '/last_name invalid_type',
      '/toString unknown_field',
    ]);
  });

  test('are refused as attributes and as keys of records', async () => {
    const attributes = await client.post(
      '/mail/contacts',
      '{"email":"a@example.jp","attributes":{"__proto__":"x"}}',
    );
    assert.deepEqual(namesOf(attributes), ['/attributes/__proto__ unknown_field']);
    const key = await client.post('/crm/custom-fields', {
      kind: 'contact',
      key: 'constructor',
      label: 'C',
      type: 'text',
    });
    assert.deepEqual(namesOf(key), ['/key invalid_value']);
  });

  test('are unknown fields of a form', async () => {
    const sender = await small.actor();
    for (const name of [...REFUSED, 'toString', 'hasOwnProperty', 'valueOf', 'then']) {
      const reply = await sender.post('/mail/files', formWith('a,b', { [`${name}`]: '1' }));
      assert.deepEqual([reply.status, namesOf(reply)], [422, [`/${name} unknown_field`]], reply.text);
    }
    for (const options of ['{"__proto__":{"a":1}}', '{"mapping":{"constructor":"email"}}']) {
      const reply = await sender.post('/mail/files', formWith('a,b', { options }));
      assert.equal(reply.status, 422, reply.text);
      assert.match(namesOf(reply).join(), /(__proto__|constructor) unknown_field/);
    }
  });

  test('are unknown parameters of a query', async () => {
    for (const name of [...REFUSED, 'toString']) {
      const reply = await client.get(`/crm/contacts?${name}=1`);
      assert.deepEqual([reply.status, reply.body.errors[0].path], [422, name], reply.text);
    }
  });
});
