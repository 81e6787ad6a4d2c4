import { z } from 'zod';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { timestamp } from '../../kernel/schema.ts';
import { nameFault } from '../names.ts';
import { type After, childrenBelow, itemAt } from './below.ts';
import type { OpenedShare } from './opened.ts';

/** Items that one answer may have. */
export const MOST_ITEMS = 1_000;

const type = z.enum(['file', 'folder']);
const size = () =>
  z
    .int()
    .nullable()
    .describe('null: it is a folder.')
    .meta({ examples: [48_213] });

/** What guests see of a share: nothing of who has what is in it, and no folder above it. */
export const ShareView = z
  .strictObject({
    object: z.literal('cloud.share_view'),
    name: z.string().meta({ examples: ['見積書.pdf'] }),
    type: type.meta({ examples: ['file'] }),
    size_bytes: size(),
    sha256: z
      .string()
      .nullable()
      .describe('Of a file, in hexadecimal.')
      .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
    items: z
      .array(
        z.strictObject({
          name: z.string().meta({ examples: ['見積書.pdf'] }),
          path: z
            .string()
            .describe(
              'From what is shared: `path` of this call for a folder, of `/content/{path}` for a file.',
            )
            .meta({ examples: ['2026年度/見積書.pdf'] }),
          type,
          size_bytes: size(),
          updated_at: timestamp(),
        }),
      )
      .describe('What lies directly in a folder: folders, then files, by name.')
      .meta({ examples: [[]] }),
    next: z
      .string()
      .nullable()
      .describe('What `after` takes for the items behind these; null where there are none.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'CloudShareView' });

export type ShareView = z.output<typeof ShareView>;

/** The names of a path below a share, none for an empty one; null where one of them is no name. */
export function namesOf(path: string): string[] | null {
  return path === '' ? [] : namesAmong(path.split('/'));
}

/** The same for texts that stand between slashes; null for one that could not be decoded. */
export function namesAmong(texts: readonly (string | null)[]): string[] | null {
  return texts.every((text) => text !== null && nameFault(text) === null) ? (texts as string[]) : null;
}

const AFTER = /^(file|folder)\/(.+)$/s;

/** A place among items, as answers give it and queries bring it back. */
export function placeText({ type: kind, name }: After): string {
  return `${kind}/${name}`;
}

/** The place that a text names; null where it names none. */
export function placeNamed(text: string): After | null {
  const [, kind, name] = AFTER.exec(text) ?? [];
  return kind && name && !nameFault(name) ? { type: kind as After['type'], name } : null;
}

/** What guests see at a path. Errors: `not_found`, `not_scanned`, `quarantined`. */
export async function shareView(
  reader: Reader,
  opened: OpenedShare,
  names: readonly string[] | null,
  window: { after: After | null; limit: number },
): Promise<ShareView> {
  const item = names && (await itemAt(reader, opened, names));
  if (!item) throw notFound();
  const { name } = item;
  if (item.kind === 'file') {
    const { size_bytes, sha256 } = item;
    return { object: 'cloud.share_view', name, type: 'file', size_bytes, sha256, items: [], next: null };
  }
  const { items, has_more } = await childrenBelow(reader, opened, item.id, window);
  const last = items.at(-1);
  return {
    object: 'cloud.share_view',
    name,
    type: 'folder',
    size_bytes: null,
    sha256: null,
    items: items.map((child) => ({
      name: child.name,
      path: [...names, child.name].join('/'),
      type: child.type,
      size_bytes: child.size_bytes,
      updated_at: child.updated_at,
    })),
    next: has_more && last ? placeText(last) : null,
  };
}
