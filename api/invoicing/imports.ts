import { kinds, type WrittenKind } from '../../shared/invoicing/documents/kinds.ts';
import { documentImports } from '../../shared/invoicing/imports/domains.ts';
import { DocumentImportOptions } from '../../shared/invoicing/imports/options.ts';
import { DocumentImport, documentImportOf } from '../../shared/invoicing/imports/record.ts';
import type { DomainName } from '../../shared/kernel/scope.ts';
import { importEndpoints } from '../imports/endpoints.ts';

/** The calls about imports of a kind of document. */
export function documentImportEndpoints(kind: WrittenKind) {
  const domain = documentImports[kind];
  const path = `/api/v1/${kinds[kind].path}`;
  return importEndpoints({
    area: 'invoicing',
    collection: { id: domain.kind as DomainName, path },
    resource: DocumentImport,
    show: documentImportOf,
    kinds: [
      {
        domain,
        path,
        options: DocumentImportOptions,
        description:
          'A column is a field of the document, or of the line that the row is: `description`, `quantity`, `unit`, ' +
          '`unit_price`, `tax_category`, `item_code`, `withholding`, `type`; headers of Japanese programs are known, too. ' +
          'Neighbouring rows of one `external_id`, where it is blank of one `number`, are one draft; a row without either ' +
          'goes on with the document above it, unless it names a company or a day of its own. Fields of the document may ' +
          'stand in each of its rows or in the first alone. The company is told by `company_external_id`, ' +
          '`corporate_number`, `company_name` or `company_id`, and has to be there. A known `external_id` changes its ' +
          'draft; a document that was issued is a fault `frozen` of its rows. A faulty document goes whole to the report ' +
          'of errors. Reverting removes drafts alone.',
      },
    ],
  });
}
