import { z } from 'zod';
import { updateSignSettings } from '../../shared/sign/settings/operations.ts';
import { signSettingsOf } from '../../shared/sign/settings/queries.ts';
import { SignSettings, SignSettingsPatch } from '../../shared/sign/settings/record.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/sign/settings';

const Reply = z.strictObject({ settings: SignSettings });

export const settings = [
  read({
    id: 'sign.settings.get',
    method: 'get',
    path: PATH,
    scope: 'sign:read',
    summary: 'Read the settings of signing',
    description: 'An organization that has changed nothing has the defaults.',
    reply: Reply,
    handle: async (_, reader) => ({ settings: await signSettingsOf(reader) }),
  }),
  write({
    id: 'sign.settings.update',
    method: 'patch',
    path: PATH,
    scope: 'settings:write',
    summary: 'Change the settings of signing',
    description:
      'Only the fields sent change; those of `reminders` are merged. Documents that are there keep what they have; a longer `retention_years` counts for all, a shorter one for what is signed later.',
    body: SignSettingsPatch,
    reply: Reply,
    handle: async ({ body }, work) => ({ settings: await updateSignSettings(work, body) }),
  }),
];
