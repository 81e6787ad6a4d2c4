import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newBooks, type Side } from '../../support/books.ts';

const app = await startApp();

const RENT: Side[] = [
  ['6340', 1_000],
  ['1110', -1_000],
];

describe('a search', () => {
  test('finds entries by their descriptions, references and numbers', async () => {
    const books = await newBooks(app);
    const rent = await books.post_entry('2025-03-01', RENT, { description: '3月分家賃', reference: 'R-2' });
    const other = await books.post_entry('2025-03-02', RENT, { description: '備品' });
    const found = async (search: string) => {
      const { body } = await books.get(`/accounting/journals?search=${encodeURIComponent(search)}`);
      return body.items.map(({ id }: { id: string }) => id).toSorted();
    };
    assert.deepEqual(await found('家賃'), [rent.id]);
    assert.deepEqual(await found('r-2'), [rent.id]);
    assert.deepEqual(await found('1'), [rent.id]);
    assert.deepEqual(await found('2'), [rent.id, other.id].toSorted());
    assert.deepEqual(await found('99'), []);
  });
});
