import type { Knex } from 'knex';

/**
 * What a payment sets off is without a fee that we bear and a tax withheld. Payments that wait for the other side are noted
 * by that; those that have theirs stay as they were booked.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE accounting_offsets AS one
       SET amount = payment.amount - payment.withheld_amount
                    - CASE WHEN payment.fee_borne_by = 'us' THEN payment.fee_amount ELSE 0 END
      FROM invoicing_payments AS payment
     WHERE payment.organization_id = one.organization_id AND payment.id = one.payment_id
       AND one.received_payment_id IS NULL AND one.source_id = one.payment_id;
    DELETE FROM accounting_offsets WHERE amount = 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE accounting_offsets AS one SET amount = payment.amount
      FROM invoicing_payments AS payment
     WHERE payment.organization_id = one.organization_id AND payment.id = one.payment_id
       AND one.received_payment_id IS NULL AND one.source_id = one.payment_id;
  `);
}
