import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { write } from '../../api/http/endpoint.ts';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { factsOf } from '../../shared/kernel/fact.ts';
import { newId } from '../../shared/kernel/id.ts';
import { NO_ORGANIZATION } from '../../shared/kernel/reader.ts';
import { startApp } from '../support/app.ts';

const noteFacts = factsOf({
  domain: 'crm',
  entity_type: 'note',
  events: { created: 'crm.activity.created' },
});
const Note = z.strictObject({ id: z.string(), object: z.literal('crm.note'), text: z.string() });

const app = await startApp({
  endpoints: [
    write({
      id: 'crm.notes.create',
      method: 'post',
      path: '/api/v1/crm/notes',
      scope: 'public',
      summary: 'Leave a note',
      body: z.strictObject({ organization_id: z.string().optional(), text: z.string() }),
      status: 201,
      reply: z.strictObject({ note: Note }),
      async handle({ body }, work) {
        const note = { id: newId('cont', work.now), object: 'crm.note' as const, text: body.text };
        const place = body.organization_id ? work.inOrganization(body.organization_id) : work;
        place.record(noteFacts.created, { before: null, after: note });
        return { note };
      },
    }),
  ],
});

const auditOf = (organization_id: string, id: string) =>
  app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query(
      `SELECT organization_id, actor_type, actor_id FROM audit_logs WHERE organization_id = $1 AND entity_id = $2`,
      [organization_id, id],
    ),
  );

describe('a write of a caller without credentials', () => {
  test('records its fact for no organization', async () => {
    const reply = await app.anonymous.post('/crm/notes', { text: 'hello' });
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(await auditOf(NO_ORGANIZATION, reply.body.note.id), [
      { organization_id: NO_ORGANIZATION, actor_type: 'guest', actor_id: 'guest' },
    ]);
  });

  test('records its fact for the organization that the handler finds', async () => {
    const { organization_id } = (await app.actor()).actor;
    const reply = await app.anonymous.post('/crm/notes', { organization_id, text: 'hello' });
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(await auditOf(organization_id, reply.body.note.id), [
      { organization_id, actor_type: 'guest', actor_id: 'guest' },
    ]);
  });
});
