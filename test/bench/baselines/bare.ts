import getRawBody from 'raw-body';
import { contactColumns, contactOf } from '../../../shared/crm/contacts/queries.ts';
import { type Any, router, serve } from './bare-server.ts';
import { Contact, contacts, withTags } from './lists/contacts.ts';
import { answering } from './lists/page.ts';
import { newContactRow } from './new-contact.ts';

/**
 * What one writes in an afternoon: Koa and Objection, one query that looks the key up, and nothing else. No check of
 * input or answer, no scope, no event, no audit entry, no idempotency.
 */
router.get('/api/v1/crm/contacts', answering(contacts));

router.get('/api/v1/crm/contacts/:id', async (context) => {
  const { organization_id } = context.state;
  const row = await Contact.query().select(contactColumns).findById([organization_id, context.params['id']!]);
  if (!row) context.throw(404);
  const [contact] = await withTags(organization_id, [row]);
  context.body = { contact };
});

router.post('/api/v1/crm/contacts', async (context) => {
  const body = JSON.parse(await getRawBody(context.req, { encoding: 'utf8' }));
  const made: Any = newContactRow(context.state as never, body);
  const row: Any = await Contact.query().insertAndFetch(made);
  context.status = 201;
  context.body = { contact: contactOf(row, []) };
});

serve();
