import { z } from 'zod';
import { newHook } from '../../shared/mail/bounces/hook-links.ts';
import { createDkimKey, deleteDkimKey, newDkimPair } from '../../shared/mail/settings/dkim-keys.ts';
import { DkimKey, DkimKeyInput, DkimKeyParams } from '../../shared/mail/settings/dkim-record.ts';
import { updateMailSettings } from '../../shared/mail/settings/operations.ts';
import { mailSettingsOf } from '../../shared/mail/settings/queries.ts';
import { MailSettings, MailSettingsPatch } from '../../shared/mail/settings/record.ts';
import { read, write } from '../http/endpoint.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const PATH = '/api/v1/mail/settings';

const Reply = z.strictObject({ settings: MailSettings });

export const mailSettings = [
  read({
    id: 'mail.settings.get',
    method: 'get',
    path: PATH,
    scope: 'mail:read',
    summary: 'Read the settings of mail',
    description: 'An organization that has changed nothing has the defaults.',
    reply: Reply,
    handle: async (_, reader) => ({ settings: await mailSettingsOf(reader) }),
  }),
  write({
    id: 'mail.settings.update',
    method: 'patch',
    path: PATH,
    scope: 'settings:write',
    summary: 'Change the settings of mail',
    description: 'Only the fields sent change; those of `throttle` and `auto_pause` are merged by key.',
    body: MailSettingsPatch,
    reply: Reply,
    handle: async ({ body }, work) => ({ settings: await updateMailSettings(work, body) }),
  }),
  write({
    id: 'mail.settings.create_hook_token',
    method: 'post',
    path: `${PATH}/hook-token`,
    scope: 'settings:write',
    status: 201,
    summary: 'Make the address of the hook',
    description:
      'At it a mail server or a mail service tells of bounces and complaints. It is shown this once; the earlier one ends.',
    reply: z.strictObject({
      url: z.string().meta({
        examples: ['https://example.co.jp/api/v1/mail/hooks/V1StGXR8_Z5jdHi6B-myTtqCzqtM2oWuxrs1vMKzGkA'],
      }),
    }),
    secrets: ['url'],
    handle: async ({ base_url }, work) => ({ url: await newHook(work, base_url) }),
  }),
  write({
    id: 'mail.settings.create_dkim_key',
    method: 'post',
    path: `${PATH}/dkim-keys`,
    scope: 'settings:write',
    status: 201,
    summary: 'Create a DKIM key',
    description:
      'An RSA key of 2,048 bits. Publish `dns_value` as a TXT record at `dns_name`: mails of the domain are signed with its newest key from now on. The private key is kept encrypted and never shown. At most 20.',
    body: DkimKeyInput,
    reply: z.strictObject({ dkim_key: DkimKey }),
    raises: ['already_exists', 'limit_reached'],
    prepare: () => newDkimPair(),
    handle: async ({ body, outside, prepared }, work) => ({
      dkim_key: await createDkimKey(work, body, { keys: outside.secret_keys, private_key: prepared }),
    }),
  }),
  write({
    id: 'mail.settings.delete_dkim_key',
    method: 'delete',
    path: `${PATH}/dkim-keys/:selector`,
    scope: 'settings:write',
    summary: 'Delete a DKIM key',
    description:
      'Mails that it has signed and that are still on their way fail the check once its DNS record goes.',
    params: DkimKeyParams,
    reply: Deleted,
    handle: async ({ params }, work) => {
      await deleteDkimKey(work, params.selector);
      return deleted;
    },
  }),
];
