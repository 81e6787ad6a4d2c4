import { z } from 'zod';
import { shareLinks } from '../../shared/cloud/shares/links.ts';
import { MOST_ITEMS, namesOf, placeNamed, ShareView, shareView } from '../../shared/cloud/shares/view.ts';
import { says } from '../../shared/kernel/language.ts';
import { integerParameter } from '../../shared/kernel/schema.ts';
import { stepwise } from '../http/endpoint.ts';
import { stepwiseFile } from '../http/files/declarations.ts';
import { hearsPassword, openedShare, sharedFile } from './open-share.ts';

const PATH = '/api/v1/cloud/s/:token';

const token = z
  .string()
  .describe('The token of the share: the last part of the address that was answered when it was made.')
  .meta({ examples: ['3f'.repeat(32)] });

/** What every call of guests is. */
const guests = {
  scope: 'link',
  link: shareLinks,
  hears: hearsPassword,
  raises: ['share_not_started', 'share_password', 'not_scanned', 'quarantined'],
} as const;

const COUNTED =
  'Each answer with bytes counts as a download. Where the share bounds them, files are given whole alone (`Accept-Ranges: none`).';

/** What guests call who have the link of a share. */
export const s = [
  stepwise({
    ...guests,
    id: 'cloud.share_view.get',
    method: 'get',
    path: PATH,
    summary: 'Read what a share shows',
    description:
      'A file, or a folder with what lies in it now; with `path` what lies further below. It needs neither credentials nor an account.',
    params: z.strictObject({ token }),
    query: z.strictObject({
      path: z
        .string()
        .max(10_000)
        .describe('Where below a shared folder: names with `/` between them.')
        .optional(),
      limit: integerParameter(1, MOST_ITEMS)
        .describe(`Items that are answered at most; ${MOST_ITEMS} unless said.`)
        .optional(),
      after: z
        .string()
        .max(1_000)
        .refine((text) => placeNamed(text) !== null, {
          params: { code: 'invalid_format' },
          error: says({ en: 'must be a `next` of an answer', ja: 'には応答の `next` を指定してください' }),
        })
        .describe('The items behind those of another answer: its `next`.')
        .optional(),
    }),
    reply: z.strictObject({ share_view: ShareView }),
    handle: async ({ link, query: { path = '', limit = MOST_ITEMS, after } }, steps) => {
      const opened = await openedShare(steps, link!);
      const window = { limit, after: after === undefined ? null : placeNamed(after) };
      return {
        share_view: await steps.read((reader) =>
          shareView(reader, opened, namesOf(path.replace(/\/$/, '')), window),
        ),
      };
    },
  }),
  stepwiseFile({
    ...guests,
    id: 'cloud.share_view.content',
    path: `${PATH}/content`,
    summary: 'Download a shared file',
    description: `Of a share of a single file, by ranges and conditions as RFC 9110 says; the ETag is the SHA-256. ${COUNTED}`,
    params: z.strictObject({ token }),
    media_types: ['application/octet-stream'],
    handle: async ({ link }, steps) => sharedFile(steps, await openedShare(steps, link!), []),
  }),
  stepwiseFile({
    ...guests,
    id: 'cloud.share_view.content_at',
    path: `${PATH}/content/*path`,
    summary: 'Download a file of a shared folder',
    description: `By its path: names with \`/\` between them, each percent-encoded. ${COUNTED}`,
    params: z.strictObject({
      token,
      path: z
        .string()
        .max(10_000)
        .describe('Where the file lies below the shared folder.')
        .meta({ examples: ['2026/contract.pdf'] }),
    }),
    media_types: ['application/octet-stream'],
    handle: async ({ link, params }, steps) =>
      sharedFile(steps, await openedShare(steps, link!), namesOf(params.path)),
  }),
];
