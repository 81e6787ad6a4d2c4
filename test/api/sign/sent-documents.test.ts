import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWork } from '../../../shared/db/in-work.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { cancelDocument } from '../../../shared/sign/life/cancel.ts';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { blankPdf, formOf, newSender, type Sender } from '../../support/signing.ts';

const app = await startApp();

const PATH = '/sign/documents';

/** A document as it is after what others do to it: the rows are written past them. */
async function brought({ actor }: Sender, id: string, columns: Record<string, unknown>): Promise<void> {
  const names = Object.keys(columns);
  const places = names.map((name, place) => `${name} = $${place + 3}`).join(', ');
  await app.database.withConnection(actor.organization_id, ({ query }) =>
    query(`UPDATE sign_documents SET ${places} WHERE organization_id = $1 AND id = $2`, [
      actor.organization_id,
      id,
      ...Object.values(columns),
    ]),
  );
}

/** For calls that wait for workers, which there are none of here. */
const LATER = { Prefer: 'respond-async' };

const sent = { status: 'sent', sent_at: '2026-11-01T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' };

/** A document that the service itself has cancelled, which is an event. */
async function cancelled({ actor }: Sender, id: string): Promise<void> {
  const { organization_id } = actor;
  const as = { organization_id, actor: systemActor, now: new Date(), request_id: null, ip_address: null };
  await app.database.withConnection(organization_id, (connection) =>
    inWork({ ...as, connection }, (work) => cancelDocument(work, id, {})),
  );
}

test('what was sent keeps what its signers see; what only staff see can be changed', async () => {
  const sender = await newSender(app);
  const draft = await sender.draft();
  await brought(sender, draft.id, sent);
  const refused = await sender.patch(`${PATH}/${draft.id}`, { title: '別の題名', internal_memo: 'メモ' });
  assert.deepEqual([refused.status, refused.body.code, refused.body.frozen], [409, 'frozen', ['title']]);
  assert.ok(refused.body.changeable.includes('expires_at'));
  const file = await sender.put(`${PATH}/${draft.id}/file`, formOf(blankPdf(), null));
  assert.deepEqual([file.status, file.body.code], [409, 'frozen']);
  const signers = await sender.patch(`${PATH}/${draft.id}`, { signers: [] });
  assert.equal(signers.status, 409);
  const deleted = await sender.delete(`${PATH}/${draft.id}`);
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'invalid_transition']);

  const changed = await sender.patch(`${PATH}/${draft.id}`, {
    title: draft.title,
    internal_memo: 'メモ',
    amount: 500,
    visibility: 'organization',
    reminders: { max: 1 },
    metadata: { erp: '1' },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.document.reminders.max, 1);
  const past = await sender.patch(`${PATH}/${draft.id}`, { expires_at: '2026-01-01T00:00:00Z' });
  assert.deepEqual([past.status, faultsIn(past.body)], [422, ['/expires_at in_the_past']]);
  const moved = await sender.patch(`${PATH}/${draft.id}`, { expires_at: '2098-01-01T00:00:00Z' });
  assert.equal(moved.status, 200, moved.text);
  assert.equal(moved.body.document.trail.length, 1, 'the trail tells that the expiry changed');
});

test('without an expiry of its own a sent document has that of the settings, counted from its sending', async () => {
  const sender = await newSender(app);
  const draft = await sender.draft({ time_zone: 'Asia/Tokyo' });
  const sent_at = new Date().toISOString().slice(0, 10);
  await brought(sender, draft.id, { ...sent, sent_at: `${sent_at}T01:00:00Z` });
  const { status, body } = await sender.patch(`${PATH}/${draft.id}`, { expires_at: null });
  assert.equal(status, 200);
  const end = new Date(`${sent_at}T15:00:00.000Z`);
  end.setUTCDate(end.getUTCDate() + 90);
  assert.equal(body.document.expires_at, end.toISOString());
  await brought(sender, draft.id, sent);
  await sender.patch('/sign/settings', { expiry_days: 1 });
  const late = await sender.patch(`${PATH}/${draft.id}`, { expires_at: null });
  assert.deepEqual([late.status, ...faultsIn(late.body)], [422, '/expires_at in_the_past']);
});

test('a signed document is kept until its day, which moves later alone', async () => {
  const sender = await newSender(app);
  const draft = await sender.draft({ transaction_date: '2026-11-10' });
  await brought(sender, draft.id, {
    ...sent,
    status: 'signed',
    sealing_status: 'done',
    signed_at: '2026-11-20T00:00:00Z',
    ended_on: '2026-11-20',
    retention_until: '2038-11-10',
    trail_length: 5,
  });
  const deleted = await sender.delete(`${PATH}/${draft.id}`);
  assert.deepEqual(
    [deleted.status, deleted.body.code, deleted.body.retention_until],
    [409, 'retention_active', '2038-11-10'],
  );
  const earlier = await sender.patch(`${PATH}/${draft.id}`, { transaction_date: '2026-10-01' });
  assert.deepEqual([earlier.status, earlier.body.code], [409, 'retention_active']);
  const later = await sender.patch(`${PATH}/${draft.id}`, { transaction_date: '2026-12-01' });
  assert.equal(later.body.document.retention_until, '2038-12-01', later.text);
  assert.ok(!later.body.document.available_actions.includes('delete'));

  await brought(sender, draft.id, { retention_until: '2026-01-01' });
  const told = await toldBy(app, sender.actor.organization_id, async () => {
    assert.equal((await sender.delete(`${PATH}/${draft.id}`)).status, 200);
  });
  assert.deepEqual(
    told.audit.map(({ action }) => action),
    ['delete'],
  );
  for (const more of ['', '/events', '/verify', '/audit-logs', '/pdf']) {
    assert.equal((await sender.get(`${PATH}/${draft.id}${more}`)).status, 404, more);
  }
  const rows = await app.database.withConnection(sender.actor.organization_id, ({ query }) =>
    query(
      `SELECT title, external_id, trail_length, erased_at IS NOT NULL AS is_erased,
              (SELECT count(*) FROM sign_signers WHERE document_id = document.id) AS signers,
              (SELECT count(*) FROM sign_files WHERE document_id = document.id) AS files
         FROM sign_documents AS document WHERE id = $1`,
      [draft.id],
    ),
  );
  assert.deepEqual(rows, [
    { title: '', external_id: null, trail_length: 5, is_erased: true, signers: 0, files: 0 },
  ]);
});

test('the PDF of a document is the sealed one once it is there', async () => {
  const sender = await newSender(app);
  const pdf = blankPdf(2);
  const draft = await sender.draft({}, pdf);
  const { base_url } = app;
  const got = await fetch(`${base_url}/api/v1${PATH}/${draft.id}/pdf`, {
    headers: { Authorization: `Bearer ${sender.actor.secret}` },
  });
  assert.deepEqual(Buffer.from(await got.arrayBuffer()), pdf);
  assert.match(got.headers.get('content-disposition') ?? '', /filename\*=/);
  assert.equal((await sender.get(`${PATH}/${draft.id}/pdf?version=signed`)).status, 404);
  assert.equal((await sender.get(`${PATH}/${draft.id}/certificate`)).status, 404);
  const copy = await sender.post('/cloud/files', { source: { type: 'sign_document', id: draft.id } }, LATER);
  assert.equal(copy.status, 202, copy.text);
});

test('events and change histories tell of documents that are seen', async () => {
  const owner = await newSender(app);
  const [maker, other] = [await owner.colleague('manager'), await owner.colleague('manager')];
  const hidden = await maker.draft();
  const open = await maker.draft({ visibility: 'organization' });
  for (const { id } of [hidden, open]) await cancelled(maker, id);
  const documentsIn = async (client: Sender) => {
    const { data } = (await client.get('/events?type=sign.document.cancelled')).body;
    return data.map((event: { data: { id: string } }) => event.data.id).sort();
  };
  const changedIn = async (client: Sender) => {
    const { body, text } = await client.get('/sign/audit-logs?action=create');
    assert.ok(body.items, text);
    return body.items.map(({ entity_id }: { entity_id: string }) => entity_id).sort();
  };
  for (const client of [owner, maker]) {
    assert.deepEqual(await documentsIn(client), [hidden.id, open.id].sort());
    assert.deepEqual(await changedIn(client), [hidden.id, open.id].sort());
  }
  assert.deepEqual(await documentsIn(other), [open.id]);
  assert.deepEqual(await changedIn(other), [open.id]);
  const { data } = (await owner.get('/events?type=sign.document.cancelled')).body;
  const unseen = data.find((event: { data: { id: string } }) => event.data.id === hidden.id);
  assert.equal((await other.get(`/events/${unseen.id}`)).status, 404);
  assert.equal((await maker.get(`/events/${unseen.id}`)).status, 200);
  assert.equal('fields' in unseen.data, false);
  assert.equal((await other.get(`${PATH}/${hidden.id}/audit-logs`)).status, 404);
  const { items } = (await maker.get(`${PATH}/${hidden.id}/audit-logs`)).body;
  assert.deepEqual(
    items.map(({ action }: { action: string }) => action),
    ['update', 'create'],
  );
});

test('a company that is merged or removed is followed', async () => {
  const sender = await newSender(app);
  const company = async (name: string) => (await sender.post('/crm/companies', { name })).body.company;
  const [loser, survivor] = [await company('株式会社みなと'), await company('みなと')];
  const draft = await sender.draft({ company_id: loser.id });
  await sender.post(`/crm/companies/${survivor.id}/merge`, { loser_id: loser.id });
  const merged = (await sender.get(`${PATH}/${draft.id}`)).body.document;
  assert.equal(merged.company_id, survivor.id);
  assert.equal((await sender.get(`${PATH}?company_id=${loser.id}`)).body.total, 1);
  assert.equal((await sender.delete(`/crm/companies/${survivor.id}`)).status, 200);
  assert.equal((await sender.get(`${PATH}/${draft.id}`)).body.document.company_id, null);
});

test('many documents are cancelled by one call, and who does not see one is told that it is none', async () => {
  const sender = await newSender(app);
  const draft = await sender.draft();
  const asked = await sender.post(`${PATH}/batch`, { action: 'cancel', ids: [draft.id], reason: '中止' });
  assert.equal(asked.status, 202, asked.text);
  assert.equal(asked.body.job.kind, 'sign.documents.batch');
  const other = await sender.colleague();
  assert.equal((await other.get(`/jobs/${asked.body.job.id}`)).status, 404);
  const filtered = await sender.post(`${PATH}/batch`, { action: 'remind', filter: { status: 'sent' } });
  assert.equal(filtered.status, 202, filtered.text);
});
