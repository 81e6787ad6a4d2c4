import { z } from 'zod';
import { updateReceiveSettings } from '../../shared/received/settings/operations.ts';
import { receiveSettings } from '../../shared/received/settings/queries.ts';
import { ReceiveSettings, ReceiveSettingsPatch } from '../../shared/received/settings/record.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/receive-settings';

const Reply = z.strictObject({ receive_settings: ReceiveSettings });

export const settings = [
  read({
    id: 'received.settings.get',
    method: 'get',
    path: PATH,
    scope: 'received:read',
    summary: 'Read the settings of received documents',
    description: 'An organization that has changed nothing has the defaults.',
    reply: Reply,
    handle: async (_, reader) => ({ receive_settings: await receiveSettings(reader) }),
  }),
  write({
    id: 'received.settings.update',
    method: 'patch',
    path: PATH,
    scope: 'settings:write',
    summary: 'Change the settings of received documents',
    description:
      'Only the fields sent change. More `retention_years` hold for all documents, those of accounting among them; fewer ' +
      'for what comes from then on.',
    body: ReceiveSettingsPatch,
    reply: Reply,
    handle: async ({ body }, work) => ({ receive_settings: await updateReceiveSettings(work, body) }),
  }),
];
