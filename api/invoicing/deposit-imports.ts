import { depositImport } from '../../shared/invoicing/deposits/imports/domain.ts';
import { DepositImportFields } from '../../shared/invoicing/deposits/imports/options.ts';
import { DepositImport, depositImportOf } from '../../shared/invoicing/deposits/imports/record.ts';
import { importEndpoints } from '../imports/endpoints.ts';

const PATH = '/api/v1/deposits';

/** The calls about imports of a bank's statement. */
export const depositImports = importEndpoints({
  area: 'invoicing',
  collection: { id: 'invoicing.deposits', path: PATH },
  resource: DepositImport,
  show: depositImportOf,
  kinds: [
    {
      domain: depositImport,
      path: PATH,
      options: DepositImportFields,
      description:
        'A statement as a bank gives it: the columns of the large Japanese banks are known by their headers, also below lines ' +
        'about the account. `received_on` and `amount` are needed, in place of the amount `net_amount` (入出金) whose sign ' +
        'says the way; `payer_name`, `bank_reference`, `note` and `external_id` may stand beside them. Rows in which money ' +
        'goes out, or none comes in, are left alone and counted as skipped. Each other row is a ' +
        'deposit without allocation, booked as `POST /deposits` books it. A row is a duplicate where its `external_id` is ' +
        'known, or a deposit of its day, amount, name and reference is there that no row above it is, and of its balance ' +
        'where both have one: two equal rows are two deposits, the same file again adds nothing. An `external_id` of other ' +
        'money is a fault. A dry run asks the books, too. Reverting removes deposits that pay no invoice and were not ' +
        'paid back, and leaves the others.',
    },
  ],
});
