import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kinds, writtenKinds } from '../../../shared/invoicing/documents/kinds.ts';
import { documentExports } from '../../../shared/invoicing/exports/documents.ts';
import { lineExports } from '../../../shared/invoicing/exports/lines.ts';
import { documentWords } from '../../../shared/invoicing/exports/values.ts';
import { documentFields } from '../../../shared/invoicing/imports/fields.ts';

describe('the Japanese words of a file', () => {
  for (const kind of writtenKinds) {
    test(`of ${kind} are those that the import takes for the same`, () => {
      const fields = new Map(documentFields(kind).map((field) => [field.name, field]));
      const words = { ...documentExports[kind].words, ...lineExports[kind].words };
      const taken = Object.entries(words).flatMap(([name, own]) => {
        const field = fields.get(name);
        return field ? Object.entries(own).map(([word, said]) => [field.parse(said), word]) : [];
      });
      assert.ok(taken.length >= 10);
      for (const [parsed, word] of taken) {
        assert.equal(String((parsed as { value: unknown }).value), word);
      }
    });
  }

  test('are there for every status, each its own', () => {
    const statuses = new Set(Object.values(kinds).flatMap(({ statuses }) => statuses));
    assert.deepEqual(new Set(Object.keys(documentWords.status)), statuses);
    assert.equal(new Set(Object.values(documentWords.status)).size, statuses.size);
  });
});
