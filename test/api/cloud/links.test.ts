import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newBooks } from '../../support/books.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { pdfBytes, RECEIPT, sendEvidence } from '../../support/evidence.ts';
import { newSender } from '../../support/signing.ts';

const app = await startApp();

type Link = { type: string; id: string };

/** The year after that of an entry of 2025 ends its second month; ten years later that is the last day. */
const HELD = '2036-02-29';

async function received(seller: Seller): Promise<string> {
  const order = await seller.after('purchase_order', ['send', 'accept']);
  const converted = await seller.act('purchase_order', order.id, 'convert', {});
  assert.equal(converted.status, 201, converted.text);
  return (Object.values(converted.body)[0] as { id: string }).id;
}

/** A record of each type that files can be linked to. */
async function recordsOf(seller: Seller): Promise<Link[]> {
  const books = await newBooks(app, { organization_id: seller.organization_id, role: 'owner' });
  const { id: journal } = await books.book('2025-04-01', [
    ['1110', 100],
    ['3110', -100],
  ]);
  const contact = await seller.make('/crm/contacts', { first_name: '花子', last_name: '山田' });
  await seller.make('/crm/pipelines', { name: '営業' });
  const deal = await seller.make('/crm/deals', { name: '更新' });
  const invoice = await seller.after('invoice', ['approve']);
  const { credit_note } = (await seller.act('invoice', invoice.id, 'credit-notes')).body;
  const registered = async (path: string) => (await seller.make(path, { company_name: '港文具' })).id;
  const evidence = await sendEvidence(app, seller, { bytes: pdfBytes(1) }, RECEIPT);
  const sender = await newSender(app, { organization_id: seller.organization_id, role: 'owner' });
  return [
    { type: 'company', id: seller.company.id },
    { type: 'contact', id: contact.id },
    { type: 'deal', id: deal.id },
    { type: 'quotation', id: (await seller.draft('quotation')).id },
    { type: 'invoice', id: invoice.id },
    { type: 'delivery_note', id: (await seller.draft('delivery_note')).id },
    { type: 'purchase_order', id: (await seller.draft('purchase_order')).id },
    { type: 'credit_note', id: credit_note.id },
    { type: 'received_invoice', id: await received(seller) },
    { type: 'received_quotation', id: await registered('/receive-quotations') },
    { type: 'received_purchase_order', id: await registered('/receive-purchase-orders') },
    { type: 'received_delivery_note', id: await registered('/receive-delivery-notes') },
    { type: 'sign_document', id: (await sender.draft()).id },
    { type: 'accounting_document', id: evidence.body.document.id },
    { type: 'journal', id: journal },
  ];
}

const heldUntil = async (office: Pick<Office, 'delete'>, id: string): Promise<string | null> => {
  const { status, body } = await office.delete(`/cloud/files/${id}`);
  return status === 409 && body.code === 'retention_active' ? body.held_until : null;
};

describe('a file', () => {
  test('belongs to records of every kind, is found by each, and by none of another organization', async () => {
    const seller = await newSeller(app);
    const office = await newOffice(app, { organization_id: seller.organization_id, role: 'owner' });
    const links = await recordsOf(seller);
    const { id } = await office.file('a.pdf');
    const linked = await office.patch(`/cloud/files/${id}`, { links });
    assert.equal(linked.status, 200, linked.text);
    assert.equal(linked.body.file.links.length, links.length);
    const stranger = await newOffice(app);
    const { id: foreign } = await stranger.file('b.pdf');
    for (const link of links) {
      const found = await office.get(`/cloud/files?link_type=${link.type}&link_id=${link.id}`);
      assert.deepEqual(
        [link.type, found.body.items.map((each: { id: string }) => each.id)],
        [link.type, [id]],
      );
      const refused = await stranger.patch(`/cloud/files/${foreign}`, { links: [link] });
      assert.deepEqual(
        [link.type, refused.status, refused.body.code, refused.body.errors[0].path],
        [link.type, 422, 'unknown_reference', '/links/0/id'],
      );
    }
    const kinds = await office.patch(`/cloud/files/${id}`, {
      links: [{ type: 'invoice', id: links.find(({ type }) => type === 'quotation')!.id }],
    });
    assert.deepEqual([kinds.status, kinds.body.code], [422, 'unknown_reference']);
  });

  test('is found by the record into which the one that it belongs to was merged', async () => {
    const office = await newOffice(app);
    const created = async (path: string, fields: object) => {
      const { status, body, text } = await office.post(path, fields);
      assert.equal(status, 201, text);
      return Object.values(body)[0] as { id: string };
    };
    const kinds: [type: string, path: string, fields: object][] = [
      ['company', '/crm/companies', { name: '港文具' }],
      ['contact', '/crm/contacts', { first_name: '花子', last_name: '山田' }],
    ];
    for (const [type, path, fields] of kinds) {
      const [survivor, loser] = [await created(path, fields), await created(path, fields)];
      const other = await created(path, fields);
      const files = await Promise.all(
        [survivor, loser, other].map(async ({ id }, n) => {
          const file = await office.file(`${type}-${n}`);
          const linked = await office.patch(`/cloud/files/${file.id}`, { links: [{ type, id }] });
          assert.equal(linked.status, 200, linked.text);
          return file.id;
        }),
      );
      const merged = await office.post(`${path}/${survivor.id}/merge`, { loser_id: loser.id });
      assert.equal(merged.status, 200, merged.text);
      for (const { id } of [survivor, loser]) {
        const { body } = await office.get(`/cloud/files?link_type=${type}&link_id=${id}&sort=name:asc`);
        assert.deepEqual(
          body.items.map((each: { id: string }) => each.id),
          files.slice(0, 2),
          type,
        );
      }
    }
  });

  test('is held as long as an entry that it was linked to, also when the link is gone', async () => {
    const books = await newBooks(app);
    const office = await newOffice(app, { organization_id: books.organization_id, role: 'owner' });
    const { id: journal } = await books.book('2025-12-31', [
      ['1110', 100],
      ['3110', -100],
    ]);
    const folder = await office.folder('領収書');
    const { id } = await office.file('a.pdf', 'one', folder.id);
    await office.store('a.pdf', 'two', folder.id);
    const links = [{ type: 'journal', id: journal }];
    assert.equal((await office.patch(`/cloud/files/${id}`, { links })).status, 200);
    assert.equal(await heldUntil(office, id), HELD);
    assert.equal((await office.patch(`/cloud/files/${id}`, { links: [] })).body.file.links.length, 0);
    assert.equal(await heldUntil(office, id), HELD);
    const above = await office.delete(`/cloud/folders/${folder.id}`);
    assert.deepEqual([above.status, above.body.held_until], [409, HELD]);
    const [, old] = (await office.get(`/cloud/files/${id}/versions`)).body.items;
    const pruned = await office.delete(`/cloud/files/${id}/versions/${old.id}`);
    assert.deepEqual([pruned.status, pruned.body.code], [409, 'retention_active']);
    assert.equal((await office.patch(`/cloud/files/${id}`, { name: 'b.pdf' })).status, 200);
    assert.equal((await office.store('b.pdf', 'three', folder.id)).status, 200);
    const copy = (await office.post(`/cloud/files/${id}/copy`, { folder_id: null })).body.file;
    assert.equal((await office.delete(`/cloud/files/${copy.id}`)).status, 200);
  });

  test('is held by the latest of its links, and by its own day where that is later', async () => {
    const books = await newBooks(app);
    const office = await newOffice(app, { organization_id: books.organization_id, role: 'owner' });
    const entries = [];
    await books.make('fiscal-years', { start_date: '2026-01-01', end_date: '2026-12-31' });
    for (const date of ['2025-01-01', '2026-01-01']) {
      entries.push(
        await books.book(date, [
          ['1110', 100],
          ['3110', -100],
        ]),
      );
    }
    const { id } = await office.file('a.pdf');
    const links = entries.map((entry) => ({ type: 'journal', id: entry.id }));
    await office.patch(`/cloud/files/${id}`, { links: [links[1]!] });
    assert.equal(await heldUntil(office, id), '2037-02-28');
    await office.patch(`/cloud/files/${id}`, { links: [links[0]!] });
    assert.equal(await heldUntil(office, id), '2037-02-28');
    await office.patch(`/cloud/files/${id}`, { retention_until: '2040-01-01' });
    assert.equal(await heldUntil(office, id), '2040-01-01');
  });

  test('is held as long as a received document says of itself', async () => {
    const seller = await newSeller(app);
    const office = await newOffice(app, { organization_id: seller.organization_id, role: 'owner' });
    const registered = async (fields: object) =>
      (await seller.make('/receive-quotations', { company_name: '港文具', ...fields })) as {
        id: string;
        retention_until: string;
      };
    for (const fields of [
      { received_on: '2026-03-20', transaction_date: '2026-06-01' },
      { received_on: '2026-03-20', transaction_date: '2024-06-01' },
      { received_on: '2026-03-20' },
    ]) {
      const quotation = await registered(fields);
      const { id } = await office.file(`${quotation.id}.pdf`);
      const links = [{ type: 'received_quotation', id: quotation.id }];
      assert.equal((await office.patch(`/cloud/files/${id}`, { links })).status, 200);
      assert.equal(await heldUntil(office, id), quotation.retention_until, JSON.stringify(fields));
    }
    const kept = await registered({ received_on: '2026-03-20' });
    await app.database.withConnection(seller.organization_id, ({ query }) =>
      query(
        `INSERT INTO accounting_retention_rules (organization_id, since, years)
         VALUES ($1, now() - interval '2 days', 15), ($1, clock_timestamp(), 7)`,
        [seller.organization_id],
      ),
    );
    const { id } = await office.file('longer.pdf');
    const links = [{ type: 'received_quotation', id: kept.id }];
    assert.equal((await office.patch(`/cloud/files/${id}`, { links })).status, 200);
    const { body } = await seller.get(`/receive-quotations/${kept.id}`);
    assert.equal(
      await heldUntil(office, id),
      Object.values<{ retention_until: string }>(body)[0]!.retention_until,
    );
  });

  test('is held by a signed document that it is linked to, and by none that is not signed', async () => {
    const sender = await newSender(app);
    const { organization_id } = sender.actor;
    const office = await newOffice(app, { organization_id, role: 'owner' });
    const member = await office.colleague();
    const signed = async (retention_until: string) => {
      const draft = await sender.draft({ visibility: 'organization' });
      await app.database.withConnection(organization_id, ({ query }) =>
        query('UPDATE sign_documents SET retention_until = $2 WHERE id = $1', [draft.id, retention_until]),
      );
      return { type: 'sign_document', id: draft.id };
    };
    const { id } = await office.file('契約書.pdf');
    const draft = { type: 'sign_document', id: (await sender.draft({ visibility: 'organization' })).id };
    assert.equal((await member.patch(`/cloud/files/${id}`, { links: [draft] })).status, 200);
    assert.equal((await member.patch(`/cloud/files/${id}`, { links: [] })).status, 200);
    const link = await signed('2041-05-31');
    const refused = await member.patch(`/cloud/files/${id}`, { links: [link] });
    assert.deepEqual([refused.status, refused.body.code], [403, 'folder_permission']);
    assert.equal((await office.patch(`/cloud/files/${id}`, { links: [link] })).status, 200);
    await app.database.withConnection(organization_id, ({ query }) =>
      query("UPDATE sign_documents SET visibility = 'private' WHERE id = $1", [link.id]),
    );
    const removed = await member.patch(`/cloud/files/${id}`, { links: [] });
    assert.deepEqual([removed.status, removed.body.code], [403, 'folder_permission']);
    assert.equal((await office.patch(`/cloud/files/${id}`, { links: [] })).status, 200);
    assert.equal(await heldUntil(office, id), '2041-05-31');
  });

  test('is linked to no document for signing that its editor does not see, and to none that is erased', async () => {
    const sender = await newSender(app);
    const { organization_id } = sender.actor;
    const office = await newOffice(app, { organization_id, role: 'owner' });
    const [member, viewer] = [await office.colleague(), await office.colleague()];
    const draft = await sender.draft({ viewers: [viewer.user_id] });
    const links = [{ type: 'sign_document', id: draft.id }];
    const { id } = await office.file('契約書.pdf');
    const unseen = await member.patch(`/cloud/files/${id}`, { links });
    assert.deepEqual(
      [unseen.status, unseen.body.code, unseen.body.errors[0].path],
      [422, 'unknown_reference', '/links/0/id'],
    );
    assert.equal((await viewer.patch(`/cloud/files/${id}`, { links })).status, 200);
    const { id: other } = await office.file('覚書.pdf');
    assert.equal((await sender.delete(`/sign/documents/${draft.id}`)).status, 200);
    const erased = await office.patch(`/cloud/files/${other}`, { links });
    assert.deepEqual([erased.status, erased.body.code], [422, 'unknown_reference']);
    assert.equal((await viewer.patch(`/cloud/files/${id}`, { links: [] })).status, 200);
  });
});
