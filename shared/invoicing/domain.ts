import { domain } from '../platform/domain.ts';

export const invoicing = domain({
  name: 'invoicing',
  title: 'Invoicing',
  description: 'Quotations, invoices, delivery notes and purchase orders, from draft to payment.',
  resources: {
    quotations: { title: 'Quotations', description: 'What you offer, and until when.' },
    invoices: {
      title: 'Invoices',
      description: 'What you ask to be paid, their payments and what came of them.',
    },
    payments: { title: 'Payments', description: 'What was paid, over all invoices.' },
    credit_notes: { title: 'Credit notes', description: 'What you take back of invoices.' },
    delivery_notes: { title: 'Delivery notes', description: 'What you delivered.' },
    purchase_orders: { title: 'Purchase orders', description: 'What you order from others.' },
    audit_logs: { title: 'Audit log', description: 'Who changed what in invoicing.' },
    settings: {
      title: 'Settings of invoicing',
      description: 'What documents begin with and how they look.',
    },
  },
});
