import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { contactColumns, contactOf } from '../../../shared/crm/contacts/queries.ts';
import { types } from '../../../shared/db/types.ts';
import { searchTerm } from '../../../shared/platform/search/grams.ts';
import { newContactRow } from './new-contact.ts';

/** The limit of what Node and PostgreSQL give: node:http and prepared statements by hand, and nothing else. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, min: 10, types });

const COLUMNS = contactColumns.join(', ');
const KEY = `SELECT key.organization_id, key.created_by
  FROM api_key_hashes AS hash
  JOIN api_keys AS key ON key.organization_id = hash.organization_id AND key.id = hash.api_key_id
 WHERE hash.key_hash = $1`;
const GET = `SELECT ${COLUMNS} FROM crm_contacts WHERE organization_id = $1 AND id = $2`;
const LIST = `SELECT ${COLUMNS} FROM crm_contacts WHERE organization_id = $1 ORDER BY id DESC LIMIT $2`;
const COUNT = 'SELECT count(*) AS total FROM crm_contacts WHERE organization_id = $1';
const FOUND = 'organization_id = $1 AND search_grams @> $2::int4[] AND search_text LIKE $3';
const SEARCH = `SELECT ${COLUMNS} FROM crm_contacts WHERE ${FOUND} ORDER BY id DESC LIMIT $4`;
const SEARCH_COUNT = `SELECT count(*) AS total FROM crm_contacts WHERE ${FOUND}`;
const TAGS = `SELECT assignment.contact_id, tag.id, tag.name, tag.color
  FROM crm_tag_assignments AS assignment
  JOIN crm_tags AS tag ON tag.organization_id = assignment.organization_id AND tag.id = assignment.tag_id
 WHERE assignment.organization_id = $1 AND assignment.contact_id = ANY ($2) ORDER BY tag.name, tag.id`;

// biome-ignore lint/suspicious/noExplicitAny: the baseline is written without types on purpose.
async function rows(name: string | undefined, text: string, values: unknown[]): Promise<any[]> {
  return (await pool.query({ name, text, values })).rows;
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
async function withTags(organization_id: string, found: any[]) {
  const tags = await rows('tags', TAGS, [organization_id, found.map(({ id }) => id)]);
  return found.map((row) =>
    contactOf(
      row,
      tags.filter((tag) => tag.contact_id === row.id).map(({ id, name, color }) => ({ id, name, color })),
    ),
  );
}

async function list(organization_id: string, query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 50);
  const search = query.get('search');
  const term = search ? searchTerm(search)! : null;
  const skipped = query.get('skip_total') === 'true' ? [{ total: -1 }] : null;
  const [found, [count]] = await Promise.all(
    term
      ? [
          rows(undefined, SEARCH, [organization_id, term.grams, term.pattern, limit]),
          skipped ?? rows(undefined, SEARCH_COUNT, [organization_id, term.grams, term.pattern]),
        ]
      : [rows('list', LIST, [organization_id, limit]), skipped ?? rows('count', COUNT, [organization_id])],
  );
  return { items: await withTags(organization_id, found!), total: count!.total, limit, offset: 0 };
}

async function create(key: { organization_id: string; created_by: string }, request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const row = newContactRow(key, JSON.parse(Buffer.concat(chunks).toString()));
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  await rows('create', `INSERT INTO crm_contacts (${columns}) VALUES (${places})`, Object.values(row));
  return { contact: contactOf(row as never, []) };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const secret = (request.headers.authorization ?? '').slice('Bearer '.length);
  const [key] = await rows('key', KEY, [createHash('sha256').update(secret).digest()]);
  if (!key) return send(response, 401, {});
  const url = new URL(request.url!, 'http://127.0.0.1');
  const id = url.pathname.split('/')[5];
  if (request.method === 'POST') return send(response, 201, await create(key, request));
  if (!id) return send(response, 200, await list(key.organization_id, url.searchParams));
  const found = await rows('get', GET, [key.organization_id, id]);
  const [contact] = await withTags(key.organization_id, found);
  send(response, 200, { contact });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    // The end of a measurement cuts requests off.
    if (request.destroyed) return;
    process.stderr.write(`${error.stack}\n`);
    send(response, 500, {});
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
process.on('disconnect', () => process.exit(0));
