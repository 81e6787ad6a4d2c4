import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { eraseNext, eraseNextInvitations, eraseNextPartials } from '../../shared/forms/erasing/erasure.ts';
import { formSweeps } from '../../shared/forms/erasing/sweeps.ts';
import { invitationToUse } from '../../shared/forms/invitations/open.ts';
import { responseOfNonce } from '../../shared/forms/responses/repeated.ts';
import { senderOf } from '../../shared/forms/spam/address.ts';
import { isLarge } from '../../shared/forms/summary/queries.ts';
import { newId, timeOfId } from '../../shared/kernel/id.ts';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { jobStep } from '../support/jobs.ts';
import { looksOf } from '../support/looks.ts';
import {
  type SeededField,
  type SeededResponse,
  schemaWith,
  seedEmails,
  seedFiles,
  seedForm,
  seedInvitations,
  seedPartials,
  seedResponses,
} from '../support/many-responses.ts';
import { assertReads, assertSweeps, plannedApp } from '../support/plans.ts';

/**
 * What lists of responses, their counts, the sweeps and what guests ask for read at 100,000 responses in two organizations: the
 * index that serves it, and how many rows are looked at.
 */
const MANY = 80_000;
const OTHERS = 10_000;
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'link_keys',
  'forms_erasures',
  'forms_forms',
  'forms_versions',
  'forms_counts',
  'forms_settings',
]);

const fields: SeededField[] = [
  { id: 'kind', type: 'choice', label: 'ご用件' },
  { id: 'who', type: 'name', label: 'お名前' },
  { id: 'message', type: 'long_text', label: '内容' },
];
const first = schemaWith(fields.slice(0, 2));

const planned = await plannedApp();
const { app } = planned;
const { database } = app;
const client = await app.actor();
const { user_id } = client.actor;

/** The newest are open, as where staff work through what comes; spam is one in fifty. */
function response(n: number): SeededResponse {
  const is_rare = n % 10_000 === 17;
  return {
    form_version: n < OTHERS ? 1 : 2,
    data: {
      kind: is_rare ? 'complaint' : n % 2 === 0 ? 'new' : 'repair',
      who: { last_name: is_rare ? '勅使河原' : `山田${n % 100}`, first_name: '花子' },
      message: `${n}番目の見積もりの件`,
    },
    is_spam: n % 50 === 3,
    ending_id: is_rare ? 'escalated' : 'thanks',
    source: n % 1_000 === 7 ? 'api' : 'public',
    status: n >= MANY - 40 ? 'open' : n % 500 === 9 ? 'in_progress' : 'done',
    assignee_id: n % 80 === 5 ? user_id : null,
  };
}

async function seed(owner: TestActor, count: number): Promise<{ form_id: string; ids: string[] }> {
  const form = await seedForm(database, owner, [first, schemaWith(fields)]);
  return { ...form, ids: await seedResponses(database, owner, { ...form, fields }, count, response) };
}

const { form_id, ids, invitation_ids } = await planned.fill(async () => {
  await seed(await newActor(database), OTHERS);
  await seed(client.actor, OTHERS);
  const seeded = await seed(client.actor, MANY);
  await seedFiles(database, client.actor, seeded);
  await seedEmails(database, client.actor, seeded);
  await seedPartials(database, client.actor, seeded.form_id, OTHERS);
  await database.withConnection(client.actor.organization_id, ({ query }) =>
    query('UPDATE forms_settings SET retention_days = 3650 WHERE form_id = $1', [seeded.form_id]),
  );
  return { ...seeded, invitation_ids: await seedInvitations(database, client.actor, seeded.form_id, OTHERS) };
});

/** Rows of a page of 50, with their files. */
const PAGE = 51 * 2 + 40;

function reads(what: string, query: string, index: RegExp, found: number, most = PAGE): void {
  const path = `/forms/${form_id}/responses?skip_total=true&limit=50${query}`;
  test(what, () => assertReads(planned, client, SMALL, { path, index, most, found }));
}

describe('the list of responses reads', () => {
  reads('the newest', '', /of_form/, 50);
  reads('a page in the middle', `&starting_after=${ids[MANY / 2]}`, /of_form/, 50);
  reads('a page by the last change', '&sort=updated_at:desc', /by_change/, 50, PAGE + 10);
  reads('the oldest', '&order=asc', /of_form/, 50);
  reads('spam', '&is_spam=true', /of_form/, 50);
  reads('both', '&is_spam=all', /responses_all/, 50, PAGE * 2);
  reads('both, in the middle', `&is_spam=all&starting_after=${ids[MANY / 2]}`, /responses_all/, 50, PAGE * 2);
  reads('both by the last change', '&is_spam=all&sort=updated_at:desc', /by_change/, 50, PAGE * 2);
  reads('open ones', '&status=open', /by_status/, 40);
  reads('open ones among both', '&status=open&is_spam=all', /by_status/, 40);
  reads('open ones and those in progress', '&status=open,in_progress', /by_status/, 50, 500);
  reads('those in progress', '&status=in_progress', /by_status/, 50);
  reads('done ones', '&status=done', /by_status|of_form/, 50);
  reads('those of an assignee', `&assignee_id=${user_id}`, /by_assignee/, 50);
  reads('those of an assignee, both', `&is_spam=all&assignee_id=${user_id}`, /by_assignee/, 50, PAGE * 2);
  reads('those of no assignee', `&assignee_id=${newId('usr', new Date())}`, /by_assignee/, 0);
  reads('a frequent answer', '&field=kind&value=new', /of_form/, 50, PAGE * 3);
  reads('a rare answer', '&field=kind&value=complaint', /search/, 8, 1000);
  reads('a rare answer, both', '&field=kind&value=complaint&is_spam=all', /search/, 8, 1000);
  reads(
    'a rare part of an answer',
    `&field=who.last_name&value=${encodeURIComponent('勅使河原')}`,
    /search/,
    8,
    1000,
  );
  reads('an answer that nobody gave', '&field=kind&value=nothing', /search/, 0);
  reads('an earlier version', '&form_version=1', /by_version/, 50);
  reads('a version without any', '&form_version=9', /by_version|search/, 0, 1000);
  reads('a rare ending', '&ending_id=escalated', /search/, 8, 1000);
  reads('a rare source', '&source=api', /search/, 50, 1000);
  reads('a frequent word', `&search=${encodeURIComponent('見積')}`, /of_form/, 50, 2_000 + PAGE);
  reads('a rare word', `&search=${encodeURIComponent('勅使河原')}`, /search/, 8, 2_000 + PAGE);
  reads(
    'a rare word, both',
    `&is_spam=all&search=${encodeURIComponent('勅使河原')}`,
    /search/,
    8,
    4_000 + PAGE,
  );
  // Of the newest rows and not of the clock: filling may take minutes.
  const lately = timeOfId(ids.at(-9)!).toISOString();
  reads('changed of late', `&updated_after=${lately}`, /by_change/, 9);
  reads('changed of late, both', `&is_spam=all&updated_after=${lately}`, /by_change/, 9);
  reads('a time', `&submitted_after=${lately}`, /of_form/, 9);
  reads('a time, both', `&is_spam=all&submitted_before=${lately}`, /responses_all/, 50);

  for (const [what, query] of [
    ['no response for the total of all', ''],
    ['no response for the total of both', '&is_spam=all'],
  ] as const) {
    test(what, () =>
      assertReads(planned, client, SMALL, {
        path: `/forms/${form_id}/responses?limit=50${query}`,
        index: /of_form|responses_all/,
        most: PAGE,
        found: 50,
      }),
    );
  }
});

test('a field that no version has is looked for in the versions alone', async () => {
  const { fetched } = await planned.plansOf(async () => {
    const reply = await client.get(`/forms/${form_id}/responses?field=nothing&value=new`);
    assert.equal(reply.status, 422, reply.text);
  });
  assert.equal(fetched.has('forms_responses'), false);
});

/** What a read of the organization looks at: no table as a whole but the small, and no more rows than said. */
async function readsAtMost(
  most: number,
  index: RegExp,
  read: (reader: Reader) => Promise<unknown>,
): Promise<void> {
  const { organization_id } = client.actor;
  const who = { organization_id, actor: systemActor, request_id: null, ip_address: null };
  const { whole, rows, indexes } = await planned.plansOf(() =>
    database.withConnection(organization_id, (connection) => read({ ...who, connection, now: new Date() })),
  );
  assert.deepEqual(
    [...whole].filter((table) => !SMALL.has(table)),
    [],
  );
  assert.ok(
    [...indexes].some((name) => index.test(name)),
    [...indexes].join(),
  );
  assert.ok(rows <= most, `${rows} rows were looked at, more than ${most}`);
}

const KEY = { serial: 1, key: Buffer.alloc(32) };

describe('what a guest asks for reads few rows', () => {
  test('an invitation, and whether it is used', () =>
    readsAtMost(5, /invitations_pkey/, (reader) => invitationToUse(reader, form_id, invitation_ids[77]!)));

  test('the response of a nonce', () =>
    readsAtMost(5, /nonce_once/, (reader) => responseOfNonce(reader, { form_id, nonce: 'unknown' })));

  test('what an address has sent', () =>
    readsAtMost(5, /by_sender/, (reader) =>
      senderOf(reader, KEY, { form_id, ip_address: '192.0.2.1', per_address: 60 }),
    ));
});

test('the admission of a response looks for sender, person, invitation and quota by indexes, whatever number of responses there is', async () => {
  const connection = new pg.Client({ connectionString: planned.database.url });
  await connection.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(
      `UPDATE forms_settings SET one_per = 'email', one_per_field = 'email', max_responses = 1000000 WHERE form_id = $1`,
      [form_id],
    );
    const { scans, rows } = await looksOf(connection, async () => {
      await connection.query(
        `SELECT forms_admit_response($1, $2, $3, 'email', 'nobody@example.jp', $4, 1000000, 3, 1, 0, now())`,
        [client.actor.organization_id, form_id, newId('resp', new Date()), invitation_ids[77]],
      );
      const senders = [['resp_one', 'resp_two', 'resp_three'], ['one', 'two', 'one'], Array(3).fill(60)];
      await connection.query('SELECT forms_admit_addresses($1, $2, $3, $4, $5, now())', [
        client.actor.organization_id,
        form_id,
        ...senders,
      ]);
    });
    // Where addresses are rare, that of an erasure serves as well.
    const persons = scans('forms_emails_of_person') + scans('forms_emails_by_address');
    assert.deepEqual([persons, scans('forms_responses_of_invitation')], [1, 1]);
    assert.equal(scans('forms_responses_by_sender'), 2);
    for (const table of ['forms_emails', 'forms_responses', 'forms_invitations']) {
      assert.equal(scans(table), 0, `${table} was read whole`);
    }
    assert.ok(rows <= ADMITTED_BY, `${rows} rows were looked at`);
  } finally {
    await connection.end();
  }
});

/** Rows and entries of indexes that an admission looks at: those of the form, its settings, its invitation and its counts. */
const ADMITTED_BY = 60;

test('an erasure finds saved partials by the address', async () => {
  const done = {
    after: '',
    after_invitation: '',
    response_count: 0,
    file_count: 0,
    partial_count: 0,
    invitation_count: 0,
    fields: [],
    crm_records: [],
  };
  const erasure = { id: newId('job', new Date()), email_key: 'rare@example.jp', is_dry_run: true, done };
  const { indexes, rows } = await planned.plansOf(() =>
    jobStep(app, client.actor.organization_id, async (work) => {
      await eraseNext(work, erasure);
      await eraseNextPartials(work, erasure);
      await eraseNextInvitations(work, erasure);
    }),
  );
  assert.ok(indexes.has('forms_partials_by_email'), [...indexes].join());
  assert.ok(indexes.has('forms_emails_by_address'), [...indexes].join());
  assert.ok(indexes.has('forms_invitations_by_email'), [...indexes].join());
  assert.ok(rows <= 10, `${rows} rows were looked at`);
});

test('whether a summary is large is told by an index', () =>
  readsAtMost(MANY, /forms_responses_/, (reader) => isLarge(reader, form_id, {})));

describe('what is due is read by its time', () => {
  const run = (name: string) => () =>
    formSweeps.find((sweep) => sweep.name === name)!.run(database, new Date(), new AbortController().signal);

  test('partials at their end', () =>
    assertSweeps(planned, run('forms_ended_partials'), SMALL, { indexes: [/partials_by_end/], most: 300 }));

  test('responses that their form keeps for ten years', () =>
    assertSweeps(planned, run('forms_retention'), SMALL, { indexes: [/of_form/], most: 20 }));
});
