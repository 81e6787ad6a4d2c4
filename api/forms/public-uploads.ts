import { addFile } from '../../shared/forms/files/add.ts';
import { rulesOfField } from '../../shared/forms/files/rules.ts';
import { publishedForm } from '../../shared/forms/forms/queries.ts';
import { requireAccepting } from '../../shared/forms/responses/accept.ts';
import { formTokenText } from '../../shared/forms/responses/input.ts';
import { countAddress, refuseBusyAddress } from '../../shared/forms/spam/address.ts';
import { formToken } from '../../shared/forms/tokens/open.ts';
import { nonceHash } from '../../shared/forms/tokens/token.ts';
import { upload } from '../http/files/declarations.ts';
import { admission, grantedBy, ofUpload, uploadFields } from './files.ts';
import { ofPublicForm } from './p.ts';

/** What guests upload while they answer. */
export const publicUploads = [
  upload({
    ...ofPublicForm,
    ...ofUpload,
    id: 'forms.public_files.upload',
    path: '/api/v1/forms/p/:orgSlug/:formSlug/uploads',
    summary: 'Upload a file as a guest',
    description:
      'Its ID then stands among the answers that are submitted with the same form token. The other fields stand before the file.',
    fields: uploadFields.extend({
      form_token: formTokenText.describe('The token that the answers will be submitted with.'),
    }),
    raises: [
      'form_not_open',
      'form_closed',
      'form_full',
      'unsupported_media_type',
      'form_token_invalid',
      'form_token_expired',
      'rate_limited',
      'not_found',
    ],
    admit: ({ params, fields, client: { ip_address } }, { read, caller }) =>
      admission(() =>
        read(async (reader) => {
          const inside = { ...reader, organization_id: caller.organization_id };
          const answered = await publishedForm(inside, params.formSlug);
          requireAccepting(answered, inside.now);
          const { form, settings } = answered;
          const { version, nonce } = await formToken(inside, form.id, fields.form_token);
          const use = { form_id: form.id, ip_address, per_address: settings.spam.per_address };
          await refuseBusyAddress(inside, 'upload', use);
          const { field_id } = fields;
          const rules = await rulesOfField(inside, { form_id: form.id, version, field_id });
          return { rules, use, nonce_hash: nonceHash(nonce) };
        }),
      ),
    handle: async ({ fields: { field_id }, granted, file }, work) => {
      const { rules, use, nonce_hash } = grantedBy(granted);
      const address_hash = await countAddress(work, 'upload', use);
      const about = { form_id: use.form_id, field_id, nonce_hash, address_hash };
      return { file: await addFile(work, about, rules, file) };
    },
  }),
];
