import { makeTransferFile, TransferFileRequest } from '../../shared/received/transfer-file/operations.ts';
import { write } from '../http/endpoint.ts';
import { JobReply } from '../http/schemas.ts';

/** The file that a bank takes for the transfers of received invoices. */
export const transferFile = [
  write({
    id: 'received.invoices.transfer_file',
    method: 'post',
    path: '/api/v1/received-invoices/transfer-file',
    scope: 'received:write',
    status: 202,
    summary: 'Make a transfer file',
    description:
      'Of approved invoices with a balance, in the common format of banks (総合振込): records of 120 bytes in CP932, each with ' +
      'CR LF behind it; one transfer an account, of the sum. Kana become half-width. Nothing is marked as paid: invoices get ' +
      'their `transfer_date`, until they are paid or reopened, and one that has it is refused unless `again` is true. ' +
      '`result` of the job has `records`, `amount` and `sha256`; GET /jobs/{id}/file has the file for 7 days.',
    body: TransferFileRequest,
    reply: JobReply,
    raises: ['unknown_reference', 'invalid_transition', 'in_transfer_file'],
    handle: async ({ body }, work) => ({ job: await makeTransferFile(work, body) }),
  }),
];
