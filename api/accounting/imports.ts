import { journalImport } from '../../shared/accounting/imports/domain.ts';
import { JournalImportFields } from '../../shared/accounting/imports/options.ts';
import { JournalImport, journalImportOf } from '../../shared/accounting/imports/record.ts';
import { importEndpoints } from '../imports/endpoints.ts';

export const imports = importEndpoints({
  area: 'accounting',
  resource: JournalImport,
  show: journalImportOf,
  kinds: [
    {
      domain: journalImport,
      path: '/api/v1/accounting/journals',
      options: JournalImportFields,
      description:
        'The columns are those of the CSV of the journal book, a row a line; Japanese headers are known, too. ' +
        'Neighbouring rows of one `date` and `number` are an entry. Where `number` is blank, an entry begins with a row ' +
        'whose `line` is 1, without that column where the rows before are equal on both sides. A row may also have both ' +
        'sides, as other programs write them: `debit_account`, `credit_account`, and an amount for each or one for both. ' +
        'An account is told by its code or its exact name. The number goes into a ' +
        'blank `reference`; entries that were reversals come in as normal ones, closing entries are skipped and counted. ' +
        'A company is told by its ID or its exact name. A faulty entry goes whole to the report of errors.',
      raises: ['approval_required'],
    },
  ],
});
