import { Validated, ValidateInput } from '../../shared/forms/validate/record.ts';
import { validate as judged } from '../../shared/forms/validate/validate.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { write } from '../http/endpoint.ts';

export const validate = [
  write({
    id: 'forms.forms.validate',
    method: 'post',
    path: '/api/v1/forms/:id/validate',
    scope: 'forms:write',
    summary: 'Judge answers or a schema without keeping anything',
    description:
      'With `data` the verdict of a submission with the same answers, by a version or by the working copy; with `schema_json` that of publishing it. A working copy that cannot be published judges no answers: its faults are listed instead.',
    params: byId('form'),
    body: ValidateInput,
    reply: Validated,
    raises: ['unknown_reference'],
    handle: async ({ params, body }, work) => judged(work, params.id, body),
  }),
];
