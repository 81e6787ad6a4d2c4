import { router, serve } from './bare-server.ts';
import { history } from './lists/attendance.ts';
import { bookings } from './lists/bookings.ts';
import { contacts } from './lists/contacts.ts';
import { companies, deals } from './lists/crm.ts';
import { files } from './lists/files.ts';
import { invoices } from './lists/invoices.ts';
import { journals } from './lists/journals.ts';
import { mailContacts } from './lists/mail.ts';
import { answering, type List } from './lists/page.ts';
import { receivedInvoices } from './lists/received.ts';
import { responses } from './lists/responses.ts';
import { signDocuments } from './lists/sign.ts';

/**
 * A list of each domain as one writes it in an afternoon: a page and its total side by side, a query for each relation, the
 * settings that the answer follows from, and the same functions that make records of rows. The answers have the bytes of ours; who may
 * see what is not asked.
 */
const lists: Record<string, List> = {
  '/crm/contacts': contacts,
  '/crm/companies': companies,
  '/crm/deals': deals,
  '/invoices': invoices,
  '/received-invoices': receivedInvoices,
  '/sign/documents': signDocuments,
  '/mail/contacts': mailContacts,
  '/cloud/files': files,
  '/attendance/punches/history': history,
  '/scheduler/bookings': bookings,
  '/accounting/journals': journals,
  '/forms/:id/responses': responses,
};

for (const [path, list] of Object.entries(lists)) router.get(`/api/v1${path}`, answering(list));

serve();
