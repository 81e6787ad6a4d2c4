import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { testServer } from './postgres.ts';

test('the test server knows Japanese letters', async () => {
  const { url } = await testServer();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    const { rows } = await client.query<{ pieces: string[] }>(`SELECT show_trgm('田中') AS pieces`);
    assert.equal(rows[0]?.pieces.length, 3);
  } finally {
    await client.end();
  }
});
