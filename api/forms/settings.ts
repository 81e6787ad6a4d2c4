import { z } from 'zod';
import { updateSettings } from '../../shared/forms/settings/operations.ts';
import { settingsOf } from '../../shared/forms/settings/queries.ts';
import { FormSettings, FormSettingsPatch } from '../../shared/forms/settings/record.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { PATH } from './forms.ts';

const Reply = z.strictObject({ settings: FormSettings });

export const settings = [
  read({
    id: 'forms.settings.get',
    method: 'get',
    path: `${PATH}/:id/settings`,
    scope: 'forms:read',
    summary: 'Read the settings of a form',
    description: 'When and from whom it takes responses, and what follows from one.',
    params: byId('form'),
    reply: Reply,
    handle: async ({ params }, reader) => ({ settings: await settingsOf(reader, params.id) }),
  }),
  write({
    id: 'forms.settings.update',
    method: 'patch',
    path: `${PATH}/:id/settings`,
    scope: 'forms:write',
    summary: 'Change the settings of a form',
    description:
      'Only the fields sent change, at once, of whatever version; `notify`, `receipt_mail`, `spam` and `crm` are merged by key. To turn on `crm` or `mailing_list`, or to change them while they are on, needs `crm:write` or `mail:write` too.',
    params: byId('form'),
    body: FormSettingsPatch,
    reply: Reply,
    raises: ['unknown_reference'],
    handle: async ({ params, body }, work) => ({ settings: await updateSettings(work, params.id, body) }),
  }),
];
