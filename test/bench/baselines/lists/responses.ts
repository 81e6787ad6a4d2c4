import { RESPONSE_FILE_COLUMNS } from '../../../../shared/forms/files/record.ts';
import { ResponseModel } from '../../../../shared/forms/responses/record.ts';
import { responseColumns, responseOf } from '../../../../shared/forms/responses/rows.ts';
import { database } from '../bare-server.ts';
import { idsOf, type List, pageAndTotal, partsOf } from './page.ts';

/** Responses of a form that are no spam, with their files. */
export const responses: List = async (asked) => {
  const { organization_id, params } = asked;
  const query = ResponseModel.query().where({ organization_id, form_id: params.id, is_spam: false });
  const [rows, total] = await pageAndTotal(query, responseColumns, asked, ['submitted_at', 'id']);
  const files = await database('forms_files')
    .where({ organization_id })
    .whereIn('response_id', idsOf(rows))
    .orderBy('id')
    .select('response_id', database.raw(RESPONSE_FILE_COLUMNS));
  const files_of = partsOf(files, 'response_id');
  return { items: rows.map((row) => responseOf(row, files_of(row.id))), total };
};
