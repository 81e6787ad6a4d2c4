import { isFiltered, pageOf } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type InboundMessage, InboundMessageModel, type InboundResult } from './record.ts';

const columns = [
  'id',
  'source',
  'result',
  'recipient_id',
  'bounce',
  'received_at',
  'created_at',
  'updated_at',
] as const;

type InboundRow = Pick<InboundMessage, (typeof columns)[number]>;

export type InboundFilters = { result?: InboundResult };

/** A window of the messages that came in, of one result where asked. */
export async function inboundPage(
  reader: Reader,
  { result }: InboundFilters,
  window: Window,
): Promise<Page<InboundMessage>> {
  const query = InboundMessageModel.table(reader);
  if (result !== undefined) query.where('mail_inbound_messages.result', result);
  const page = await pageOf<InboundRow>(reader, {
    query,
    table: InboundMessageModel.tableName,
    columns,
    prefix: 'minb',
    window,
    is_filtered: isFiltered({ result }),
  });
  return {
    ...page,
    rows: page.rows.map((row) => ({ object: 'mail.inbound_message', ...pick(row, columns) })),
  };
}
