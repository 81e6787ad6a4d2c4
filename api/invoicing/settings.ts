import { z } from 'zod';
import { keepImage } from '../../shared/invoicing/images/operations.ts';
import { reencodeImage } from '../../shared/invoicing/images/reencode.ts';
import {
  type SettingsImageName,
  updateSettings,
  updateSettingsImage,
} from '../../shared/invoicing/settings/operations.ts';
import { findSettings } from '../../shared/invoicing/settings/queries.ts';
import { InvoiceSettings, InvoiceSettingsPatch } from '../../shared/invoicing/settings/record.ts';
import { type Endpoint, read, write } from '../http/endpoint.ts';
import { upload } from '../http/files/declarations.ts';
import { Deleted, deleted } from '../http/schemas.ts';

const PATH = '/api/v1/invoice-settings';
const MIB = 1024 * 1024;

const SettingsReply = z.strictObject({ invoice_settings: InvoiceSettings });

export const invoiceSettings = [
  read({
    id: 'invoicing.settings.get',
    method: 'get',
    path: PATH,
    scope: 'invoicing:read',
    summary: 'Read the settings of invoicing',
    description: 'What documents begin with. An organization that has changed nothing has the defaults.',
    reply: SettingsReply,
    handle: async (_, reader) => ({ invoice_settings: (await findSettings(reader)).shown }),
  }),
  write({
    id: 'invoicing.settings.update',
    method: 'patch',
    path: PATH,
    scope: 'settings:write',
    summary: 'Change the settings of invoicing',
    description:
      'Documents that are there keep what they have. Of templates and numbering the parts that are sent change; ' +
      '`null` brings a standard text back.',
    body: InvoiceSettingsPatch,
    reply: SettingsReply,
    handle: async ({ body }, work) => ({ invoice_settings: await updateSettings(work, body) }),
  }),
  ...imageEndpoints('logo', 'logo', 'Shown at the head of documents.'),
  ...imageEndpoints('seal', 'seal', "Shown over the issuer's name."),
];

function imageEndpoints(name: SettingsImageName, words: string, where: string): Endpoint[] {
  return [
    upload({
      id: `invoicing.settings.put_${name}`,
      method: 'put',
      path: `${PATH}/${name}`,
      scope: 'settings:write',
      summary: `Set the ${words}`,
      description:
        `${where} A PNG or JPEG of at most 16 megapixels; it is made anew from its pixels, upright and at most ` +
        '1,600 pixels wide and high. Issued documents keep the image that they were issued with.',
      file: {
        field: 'file',
        limit: 2 * MIB,
        keep: true,
        accepts: ['png', 'jpeg'],
        raw: true,
        description: 'A PNG or JPEG image.',
        remake: reencodeImage,
      },
      reply: SettingsReply,
      raises: ['unsupported_media_type'],
      handle: async ({ file }, work) => ({
        invoice_settings: await updateSettingsImage(work, name, await keepImage(work, file)),
      }),
    }),
    write({
      id: `invoicing.settings.delete_${name}`,
      method: 'delete',
      path: `${PATH}/${name}`,
      scope: 'settings:write',
      summary: `Remove the ${words}`,
      description:
        'Documents that are issued from now on are without it; issued ones keep it. Where there is none, 404.',
      reply: Deleted,
      raises: ['not_found'],
      handle: async (_, work) => {
        await updateSettingsImage(work, name, null);
        return deleted;
      },
    }),
  ];
}
