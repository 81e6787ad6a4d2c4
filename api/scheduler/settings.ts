import { z } from 'zod';
import { updateSchedulerSettings } from '../../shared/scheduler/settings/operations.ts';
import { schedulerSettingsOf } from '../../shared/scheduler/settings/queries.ts';
import { SchedulerSettings, SchedulerSettingsPatch } from '../../shared/scheduler/settings/record.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/scheduler/settings';

const Reply = z.strictObject({ settings: SchedulerSettings });

export const settings = [
  read({
    id: 'scheduler.settings.get',
    method: 'get',
    path: PATH,
    scope: 'scheduler:read',
    summary: 'Read the settings of the scheduler',
    description: 'An organization that has changed nothing has the defaults.',
    reply: Reply,
    handle: async (_, reader) => ({ settings: await schedulerSettingsOf(reader) }),
  }),
  write({
    id: 'scheduler.settings.update',
    method: 'patch',
    path: PATH,
    scope: 'settings:write',
    summary: 'Change the settings of the scheduler',
    description: 'Only the fields sent change; nested objects and lists are replaced whole.',
    body: SchedulerSettingsPatch,
    reply: Reply,
    handle: async ({ body }, work) => ({ settings: await updateSchedulerSettings(work, body) }),
  }),
];
