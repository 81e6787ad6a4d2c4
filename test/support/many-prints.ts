import { freezePrint } from '../../shared/invoicing/pdf/prints.ts';
import type { Print } from '../../shared/invoicing/print/model.ts';
import { printOf } from '../../shared/invoicing/print/print-of.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { TestApp } from './app.ts';
import type { Seller } from './documents.ts';
import { jobStep } from './jobs.ts';
import { documentOf, extras, settings } from './prints/story.ts';

/** An invoice of ten lines, which fits one page. */
export function onePage(number: string): Print {
  const lines = Array.from({ length: 10 }, (_, at) => ({
    description: `コーヒー豆 ${at + 1}号 髙﨑①㈱`,
    unit: '袋',
    quantity: `${at + 1}`,
    price: `${1_000 + at}`,
    category: at % 3 === 0 ? ('reduced' as const) : ('standard' as const),
  }));
  return printOf(
    documentOf('invoice', { number, subject: '四月分', memo: '毎度ありがとうございます。', lines }),
    settings,
    extras,
  );
}

/**
 * Issues so many invoices of one page at once: copies of one that is approved, each with a print of its own and the job
 * that renders it, in one transaction. Answers their IDs.
 */
export async function issueMany(app: TestApp, seller: Seller, count: number): Promise<string[]> {
  const now = new Date();
  const { id } = await seller.after('invoice', ['approve']);
  const ids = Array.from({ length: count }, () => newId('inv', now));
  await jobStep(app, seller.organization_id, async (work) => {
    await work.connection.query(
      `INSERT INTO invoicing_documents
       SELECT (jsonb_populate_record(one, jsonb_build_object('id', made, 'number', made))).*
         FROM invoicing_documents AS one, unnest($3::text[]) AS made WHERE one.organization_id = $1 AND one.id = $2`,
      [seller.organization_id, id, ids],
    );
    for (const made of ids) await freezePrint(work, onePage(made), { id: made, file_name: `${made}.pdf` });
  });
  return ids;
}

/** How many of the organization's documents have their PDF. */
export async function countReady({ database }: TestApp, { organization_id }: Seller): Promise<number> {
  const [row] = await database.withConnection(organization_id, ({ query }) =>
    query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM invoicing_prints WHERE organization_id = $1 AND status = 'ready'`,
      [organization_id],
    ),
  );
  return row!.count;
}
