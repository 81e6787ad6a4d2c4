import { z } from 'zod';
import { attendanceDay } from '../../shared/attendance/dates.ts';
import { updateSettings } from '../../shared/attendance/settings/operations.ts';
import { AttendanceSettings, AttendanceSettingsPatch } from '../../shared/attendance/settings/record.ts';
import { settingsAsOf } from '../../shared/attendance/settings/shown.ts';
import { trySlack } from '../../shared/attendance/slack/connection.ts';
import { read, write } from '../http/endpoint.ts';
import { LeftJob, SETTINGS } from './org.ts';

const PATH = '/api/v1/attendance/settings';

export const settings = [
  read({
    id: 'attendance.settings.get',
    method: 'get',
    path: PATH,
    scope: 'attendance:read',
    summary: 'Read the settings of attendance',
    description:
      'As they are on a day, today unless `as_of` says another one. An organization that has changed nothing has the defaults.',
    query: z.strictObject({ as_of: attendanceDay().optional() }),
    reply: z.strictObject({ settings: AttendanceSettings }),
    handle: async ({ query, outside }, reader) => ({
      settings: await settingsAsOf(reader, query.as_of, outside.secret_keys),
    }),
  }),
  write({
    id: 'attendance.settings.update',
    method: 'patch',
    path: PATH,
    ...SETTINGS,
    summary: 'Change the settings of attendance',
    description:
      'Only the fields sent change. Those that change figures hold from `effective_from` on (the start of the first open period unless said) to the next date that sets them again; `closing_day` and agreements from the first period that begins then or later. An earlier date changes open periods only, which `job` computes again. `agreements` is replaced whole, and none may be looser than the law. `slack.bot_token` is kept encrypted: Slack is asked for its workspace first, and one that Slack refuses is 422.',
    body: AttendanceSettingsPatch,
    reply: z.strictObject({ settings: AttendanceSettings, job: LeftJob }),
    prepare: ({ body, outside }) => trySlack(outside, body.slack?.bot_token),
    handle: ({ body, outside, prepared }, work) =>
      updateSettings(work, body, { keys: outside.secret_keys, change: prepared }),
  }),
];
