import { z } from 'zod';
import { updateMailSettings } from '../../shared/mail/settings/operations.ts';
import { mailSettingsOf } from '../../shared/mail/settings/queries.ts';
import { MailSettings, MailSettingsPatch } from '../../shared/mail/settings/record.ts';
import { read, write } from '../http/endpoint.ts';

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
];
