import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { contactExport } from '../../shared/crm/exports/contacts.ts';
import { domains } from '../../shared/domains.ts';
import { newId } from '../../shared/kernel/id.ts';
import { mailContactExport } from '../../shared/mail/exports/contacts.ts';
import type { Exporter } from '../../shared/platform/exports/exporter.ts';
import { awaitRemovals, outdateExports } from '../../shared/platform/exports/outdated.ts';
import type { ExportRequest } from '../../shared/platform/exports/record.ts';
import { blankGuests } from '../../shared/scheduler/retention/sweep.ts';
import { startApp } from '../support/app.ts';
import { jobStep } from '../support/jobs.ts';
import { mailedCampaign } from '../support/mailed-campaigns.ts';
import { bookingMade, changeBooking } from '../support/stored-bookings.ts';
import { storedForm, storedResponse } from '../support/stored-responses.ts';
import { until } from '../support/until.ts';

const app = await startApp();

type Owner = Awaited<ReturnType<typeof app.actor>>;

/** Who is about to be erased: the records that filters of exports name, and what erases them. */
type Person = { records?: Record<string, string>; erase(): Promise<unknown> };

/** How a person is erased, the exports that may show them, and the file that takes kept answers of requests away. */
type Erasure = { exports: string[]; forgets: string[]; person(client: Owner): Promise<Person> };

/** Every erasure of the service. Who adds one says here which exports may show whom it erases. */
const ERASURES: Record<string, Erasure> = {
  'a mail contact': {
    exports: ['mail.contacts', 'mail.recipients', 'mail.suppressions'],
    forgets: ['mail/forget-answers.ts', 'mail/opt-ins/forget.ts'],
    async person(client) {
      const email = 'anna@example.jp';
      const { id } = (await client.post('/mail/contacts', { email })).body.contact;
      const campaign_id = await mailedCampaign(app, client, [{ email, status: 'sent', contact_id: id }]);
      return { records: { campaign_id }, erase: () => client.delete(`/mail/contacts/${id}`) };
    },
  },
  'a response': {
    exports: ['forms.responses'],
    forgets: ['forms/erasing/kept.ts'],
    async person(client) {
      const where = { database: app.database, organization_id: client.actor.organization_id };
      const form_id = await storedForm(where);
      const id = await storedResponse(where, { form_id });
      return { records: { form_id }, erase: () => client.delete(`/forms/${form_id}/responses/${id}`) };
    },
  },
  'a guest of bookings': {
    exports: ['scheduler.bookings'],
    forgets: ['scheduler/retention/kept.ts'],
    async person({ actor: { organization_id, user_id }, ...client }) {
      await client.patch('/scheduler/settings', { retention_days: 1 });
      const booking = bookingMade(new Date('2026-01-01T00:00:00Z'), { user_ids: [user_id] });
      await changeBooking(app, { organization_id }, 'created', [null, booking]);
      const { signal } = new AbortController();
      return { erase: () => blankGuests(app.database, new Date('2028-01-01T00:00:00Z'), signal) };
    },
  },
};

/** Exports of records that no erasure takes a person out of, and why. Those of change histories show nothing of erased ones. */
const NOT_ERASED: Record<string, string> = {
  crm: 'Its records are removed, not erased: its change history keeps what they said',
  invoicing: 'The law wants its documents kept as they are',
};

const exporters = domains.flatMap(({ exports = [] }) => exports);

/** An export that has ended, with its file, and one that runs, of every exporter. */
async function exportEverything(organization_id: string, records: Record<string, string>) {
  const jobs = exporters.map(({ name }) => ({
    name,
    ended: newId('job', new Date()),
    running: newId('job', new Date()),
  }));
  await app.database.withConnection(organization_id, async ({ query }) => {
    for (const { name, ended, running } of jobs) {
      for (const [id, status] of [
        [ended, 'succeeded'],
        [running, 'running'],
      ]) {
        await query(
          `INSERT INTO jobs (organization_id, id, kind, status, scope, result, created_at, updated_at)
           VALUES ($1, $2, $3, $4, '*', $5, now(), now())`,
          [organization_id, id, `${name}.export`, status, status === 'running' ? null : records],
        );
      }
      await query(
        `INSERT INTO job_files (organization_id, job_id, storage_key, file_name, media_type, size, sha256, is_kept, created_at)
         VALUES ($1, $2, $2, 'a.csv', 'text/csv', 1, '', false, now())`,
        [organization_id, ended],
      );
      await query(
        'INSERT INTO exports (organization_id, id, request, created_at) VALUES ($1, $2, $3, now())',
        [organization_id, running, { exporter: name, filters: records }],
      );
    }
  });
  return jobs;
}

/** By their names, the exports whose files are gone, and those that begin anew. */
async function outdated(organization_id: string, jobs: Awaited<ReturnType<typeof exportEverything>>) {
  return app.database.withConnection(organization_id, async ({ query }) => {
    const left = await query<{ job_id: string }>('SELECT job_id FROM job_files WHERE organization_id = $1', [
      organization_id,
    ]);
    const anew = await query<{ id: string }>(
      `SELECT id FROM exports WHERE organization_id = $1 AND request ? 'is_outdated'`,
      [organization_id],
    );
    const names = (of: (job: (typeof jobs)[number]) => boolean) =>
      jobs
        .filter(of)
        .map(({ name }) => name)
        .toSorted();
    return {
      gone: names(({ ended }) => left.every(({ job_id }) => job_id !== ended)),
      anew: names(({ running }) => anew.some(({ id }) => id === running)),
    };
  });
}

describe('after an erasure', () => {
  for (const [whom, { exports, person }] of Object.entries(ERASURES)) {
    it(`no export shows ${whom} any more, and others stay`, async () => {
      const client = await app.actor();
      const { organization_id } = client.actor;
      const { records = {}, erase } = await person(client);
      const jobs = await exportEverything(organization_id, records);
      await erase();
      assert.deepEqual(await outdated(organization_id, jobs), { gone: exports, anew: exports });
    });

    it(`exports about other records, and of other organizations, stay, with ${whom}`, async () => {
      const client = await app.actor();
      const other = await app.actor();
      const { records = {}, erase } = await person(client);
      const elsewhere = Object.fromEntries(Object.keys(records).map((name) => [name, 'none']));
      const own = await exportEverything(client.actor.organization_id, elsewhere);
      const others = await exportEverything(other.actor.organization_id, records);
      await erase();
      const ofAll = exports.filter(
        (name) => exporters.find((one) => one.name === name)!.record === undefined,
      );
      assert.deepEqual(await outdated(client.actor.organization_id, own), { gone: ofAll, anew: ofAll });
      assert.deepEqual(await outdated(other.actor.organization_id, others), { gone: [], anew: [] });
    });
  }
});

test('an export that begins waits for erasures that are about to commit', async () => {
  const { organization_id } = (await app.actor()).actor;
  const begin = (exporter: Exporter) =>
    jobStep(app, organization_id, (work) => awaitRemovals(work, exporter, { filters: {} } as ExportRequest));
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const erasing = jobStep(app, organization_id, async (work) => {
    await outdateExports(work, [{ exporter: mailContactExport.name }]);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  let has_begun = false;
  const beginning = begin(mailContactExport).then(() => {
    has_begun = true;
  });
  await begin(contactExport);
  await until('it waits', () =>
    app.database.withConnection('*', async ({ query }) => {
      const waiting = await query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
      return waiting.length > 0;
    }),
  );
  assert.equal(has_begun, false);
  release.resolve();
  await Promise.all([erasing, beginning]);
});

describe('the list of erasures', () => {
  it('names every export, or why its records are not erased', () => {
    const named = new Set(Object.values(ERASURES).flatMap(({ exports }) => exports));
    const missing = exporters
      .map(({ name }) => name)
      .filter((name) => !named.has(name) && NOT_ERASED[name.split('.')[0]!] === undefined);
    assert.deepEqual(missing, []);
  });

  it('names every place that takes kept answers of requests away, as erasures do', () => {
    const shared = join(import.meta.dirname, '../../shared');
    const found = domains.flatMap(({ name }) =>
      readdirSync(join(shared, name), { recursive: true, encoding: 'utf8' })
        .map((file) => `${name}/${file}`)
        .filter((file) => file.endsWith('.ts'))
        .filter((file) => readFileSync(join(shared, file), 'utf8').includes('DELETE FROM idempotency_keys')),
    );
    const forgets = Object.values(ERASURES).flatMap((erasure) => erasure.forgets);
    assert.deepEqual(found.toSorted(), forgets.toSorted());
  });
});
