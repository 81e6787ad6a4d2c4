import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../api/endpoints.ts';
import { bodyOf } from '../../api/http/endpoint.ts';
import { attachment } from '../../api/http/files/file-name.ts';
import { partAsked } from '../../api/http/files/range.ts';
import { parseJson } from '../../api/http/json.ts';
import { readSort } from '../../api/http/list.ts';
import { changeCustomFields, customFieldTypes } from '../../shared/crm/custom-fields/values.ts';
import { companyFields } from '../../shared/crm/imports/companies/fields.ts';
import { contactFields } from '../../shared/crm/imports/contacts/fields.ts';
import { dealFields } from '../../shared/crm/imports/deals/fields.ts';
import { companyNameForm, companyNameKey } from '../../shared/crm/names.ts';
import { storedText } from '../../shared/forms/answers/values.ts';
import { patternFault } from '../../shared/invoicing/number-pattern.ts';
import { pdfFileName } from '../../shared/invoicing/pdf/file-name.ts';
import { filled, isTemplate } from '../../shared/invoicing/settings/email-templates.ts';
import { fileStem } from '../../shared/kernel/file-name.ts';
import { normalForm } from '../../shared/kernel/normal-form.ts';
import { diagnosticOf } from '../../shared/mail/bounces/event.ts';
import { blocksOf } from '../../shared/mail/bounces/reading/fields.ts';
import { messageIdsIn, tokensIn, tokensInEnvelopeIds } from '../../shared/mail/bounces/traces.ts';
import { hostFaults } from '../../shared/mail/content/hosts.ts';
import { namesShownBy } from '../../shared/mail/content/shown-names.ts';
import { mailContactFields } from '../../shared/mail/imports/fields.ts';
import { slugOf } from '../../shared/platform/access/organizations/slug.ts';
import { copyValue } from '../../shared/platform/imports/copy-text.ts';
import { guardFormula, unguardFormula } from '../../shared/platform/imports/formula.ts';
import { splitRecords, withQuotesAtEnds } from '../../shared/platform/imports/reading/cells.ts';
import { validPart } from '../../shared/platform/imports/reading/encoding.ts';
import { foldHeader } from '../../shared/platform/imports/reading/headers.ts';
import {
  addressForm,
  emailForm,
  phoneForm,
  postalForm,
  prefectureForm,
  wideKana,
} from '../../shared/platform/imports/reading/normal-forms.ts';
import { rowsOf } from '../../shared/platform/imports/reading/rows.ts';
import { gramsOf, searchTerm } from '../../shared/platform/search/grams.ts';
import { comparableName } from '../../shared/platform/search/legal-forms.ts';
import { normalise } from '../../shared/platform/search/normalise.ts';
import { memberNames } from '../../workers/batches/member-names.ts';
import { inCommonLetters } from '../../workers/pdf/letters.ts';

/** Letters of the shorter input; the longer one has ten times as many. */
const SHORT = 5_000;

/** Ten times the input may take at most so many times as long. */
const MOST = 15;

/** Milliseconds below which times say nothing: at this length a quadratic function takes hundreds. */
const FLOOR = 30;

const RUNS = 5;

/** What the inputs consist of, between a beginning and an end that keep a pattern from matching. */
const UNITS = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\u3000',
  '\ufffd',
  '\u{20bb7}',
  'a',
  'A',
  'é',
  'あ',
  'ｶﾞ',
  'İ',
  'Σ',
  '0',
  '9',
  '1.',
  '.',
  '..',
  '-',
  '_',
  '_.',
  '@',
  'a@',
  'a.',
  ',',
  ',1',
  '1,000',
  ';',
  ':',
  '/',
  '//',
  '\\',
  '\\;',
  "'",
  '"',
  '""',
  '",',
  '"a',
  '"a,',
  '"\n',
  '""a\n',
  '"a"b',
  '(',
  ')',
  '()',
  '(株)',
  '[',
  ']',
  '{',
  '}',
  '{}',
  '{{',
  '}}',
  '{{ ',
  '=',
  '+',
  '%',
  'https://{{',
  '円',
  '¥',
  '〒',
  '年',
  'T',
  'sep=',
  'bytes=',
  '1-2,',
  '\u0301',
  '\u0301\u0316',
  '\u0316\uff9e',
  '\u05b0\u0591',
];
const BEGINNINGS = ['', '1'];
const ENDS = ['', '円2'];

const text_functions: Record<string, (text: string) => unknown> = {
  attachment,
  'storedText of an answer': (text) => storedText(text, { is_one_line: true }),
  partAsked: (range) => partAsked(range, 10),
  'blocksOf a report': blocksOf,
  'diagnosticOf a report': diagnosticOf,
  'tokensIn addresses': (text) => tokensIn([text]),
  tokensInEnvelopeIds: (text) => tokensInEnvelopeIds([text]),
  hostFaults: (text) => hostFaults(text, { in_text: true }),
  messageIdsIn: (text) => messageIdsIn([text]),
  parseJson: (text) => settled(() => parseJson(text)),
  'parseJson of a string': (text) => settled(() => parseJson(JSON.stringify(text))),
  readSort: (sort) => readSort({ sort }, ['a']),
  slugOf: (text) => slugOf(text, 'org_01kaj2n5w5fq8b4m0g3v7x9rtc', false),
  companyNameForm,
  companyNameKey,
  copyValue,
  guardFormula,
  unguardFormula,
  'splitRecords at LF': (text) => splitRecords(text, ',', '\n'),
  'splitRecords at CR LF': (text) => splitRecords(text, ',', '\r\n'),
  withQuotesAtEnds: (text) => withQuotesAtEnds(text, ','),
  'validPart of UTF-8': (text) => validPart(Buffer.concat([Buffer.from(text), Buffer.of(0xff)])),
  'validPart of other bytes': (text) => validPart(Buffer.from(text, 'latin1')),
  foldHeader,
  phoneForm,
  postalForm,
  wideKana,
  addressForm,
  prefectureForm,
  emailForm,
  comparableName,
  'rowsOf UTF-8': (text) => rowsOf(Buffer.from(text), { ...READING, encoding: 'utf-8' }, true),
  'rowsOf UTF-16': (text) => rowsOf(Buffer.from(text, 'utf16le'), { ...READING, encoding: 'utf-16le' }, true),
  patternFault: (text) => patternFault(text, 'year'),
  fileStem,
  pdfFileName: (name) => pdfFileName({ title: 'a', number: name, recipient: { name } as never }),
  'memberNames of one': (name) => memberNames([name]),
  isTemplate,
  filled: (text) => filled(text, { number: 'n', company_name: 'c', total: 't', due_date: 'd' }),
  normalForm: (text) => normalForm(text, 'NFKC'),
  gramsOf,
  searchTerm: (text) => searchTerm(text),
  namesShownBy,
  normalise,
  inCommonLetters,
};

const READING = { delimiter: 'comma', columns: null, start: { byte: 0, row: 1 } } as const;

const import_fields = { companyFields, contactFields, dealFields, mailContactFields };

/** What becomes of a text: a refusal is an outcome like others. */
function settled(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** Milliseconds of this thread's own processor time: what else the machine does is not counted. */
function cost(run: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  run(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function least(run: (text: string) => unknown, text: string, enough: number): number {
  let found = Infinity;
  for (let runs = 0; runs < RUNS && found > enough; runs += 1) found = Math.min(found, cost(run, text));
  return found;
}

/** Each input in both lengths, and how it is told. */
const INPUTS = UNITS.flatMap((unit) =>
  BEGINNINGS.flatMap((beginning) =>
    ENDS.map((end) => {
      const inputOf = (letters: number) => beginning + unit.repeat(letters / unit.length) + end;
      const told = `${JSON.stringify(beginning)}, ${JSON.stringify(unit)} again and again, ${JSON.stringify(end)}`;
      return { told, short: inputOf(SHORT), long: inputOf(SHORT * 10) };
    }),
  ),
);

/** Fails where a function takes much more than ten times as long for ten times the text. */
function assertLinear(run: (text: string) => unknown): void {
  for (const input of INPUTS) {
    const first = cost(run, input.long);
    if (first <= FLOOR) continue;
    const short = Math.max(least(run, input.short, 0), FLOOR / 10);
    // No run beyond the one that shows that the ratio holds.
    const long = Math.min(first, least(run, input.long, MOST * short));
    assert.ok(long / short <= MOST, `${input.told}: ${short} ms, and ${long} ms for ten times as much`);
  }
}

describe('the time that a text takes grows with its length alone', () => {
  for (const [name, run] of Object.entries(text_functions)) test(name, () => assertLinear(run));

  for (const [name, fields] of Object.entries(import_fields)) {
    for (const field of fields) {
      test(`a cell of ${name}: ${field.name}`, () => {
        assertLinear((cell) => {
          settled(() => field.parse(cell));
          settled(() => field.recognises?.(cell));
        });
      });
    }
  }

  for (const type of customFieldTypes) {
    const rule = { key: 'k', type, options: ['a'] };
    test(`a custom field: ${type}`, () =>
      assertLinear((text) => changeCustomFields({}, { k: text }, [rule])));
  }

  for (const [name, schema] of sentFields()) {
    test(`a field of a request: ${name}`, () => assertLinear((text) => schema.safeParse(text)));
  }
});

/** The fields of all bodies and queries; those of one name and form once. */
function sentFields(): Map<string, z.ZodType> {
  const seen = new Map<string, { name: string; schema: z.ZodType }>();
  for (const endpoint of endpoints) {
    for (const schema of [bodyOf(endpoint), endpoint.query]) {
      if (!(schema instanceof z.ZodObject)) continue;
      for (const [name, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
        const form = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
        seen.set(`${name} ${JSON.stringify(form)}`, { name, schema: field });
      }
    }
  }
  return new Map([...seen.values()].map(({ name, schema }, at) => [`${name} (${at + 1})`, schema]));
}

test('texts come into their normal form by the one function that is linear', () => {
  const root = resolve(import.meta.dirname, '../..');
  const files = globSync('{api,shared,workers}/**/*.ts', { cwd: root });
  const others = files.filter((file) => /\.normalize\(['`"]/.test(readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(others.sort(), [
    // Pages load it, so it imports nothing: who calls it divides long runs of marks before.
    'shared/forms/replay/replay.ts',
    'shared/platform/exports/cp932.ts',
    'workers/pdf/letters.ts',
  ]);
});

test('long runs of marks are divided once, and others stay as they are', () => {
  const run = `a${'\u0301\u0316'.repeat(100)}`;
  const divided = normalForm(run, 'NFKC');
  assert.equal(normalForm(divided, 'NFKC'), divided);
  assert.equal(normalise(normalise(run)), normalise(run));
  for (const text of ['がぎぐ', 'ｶﾞ', 'é', 'กำ', '한국어', 'a\u0316\u0301'.repeat(50)]) {
    assert.equal(normalForm(text, 'NFKC'), text.normalize('NFKC'));
  }
});
