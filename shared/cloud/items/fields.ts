import { z } from 'zod';
import { computed, day, freeText, id } from '../../kernel/schema.ts';
import { permissions } from '../permissions.ts';

/** What happens where the name is taken: a refusal, or a number behind it. */
export const conflictRules = ['fail', 'rename'] as const;

export type ConflictRule = (typeof conflictRules)[number];

export const description = () =>
  freeText(1_000)
    .nullable()
    .meta({ examples: ['2026年度の契約書'] });

export const retentionUntil = () =>
  day()
    .nullable()
    .describe(
      'Until that day it is neither trashed nor purged, with all below it. It can be set later, never earlier.',
    )
    .meta({ examples: [null] });

/** The folders above, from the top; without those that the caller does not see. */
export const Path = computed(
  z
    .array(z.strictObject({ id: id('fold'), name: z.string().meta({ examples: ['契約書'] }) }))
    .describe('The folders above it that you see, from the top.'),
);

export const permission = () =>
  computed(z.enum(permissions))
    .describe('What you may do with it.')
    .meta({ examples: ['editor'] });

/** Where something is to go: a folder, or null for the root. */
export const placeInput = () => id('fold').nullable().describe('The folder; null for the root.');

/** A folder in a query or a path, where the root has a word. */
export function folderOrRoot() {
  return z.union([id('fold'), z.literal('root')]).meta({ examples: ['fold_01kaj2n5w5fq8b4m0g3v7x9rtc'] });
}

/** The ID of the folder, or null for the root. */
export function folderIdOf(sent: string): string | null {
  return sent === 'root' ? null : sent;
}

/** A folder or a file. */
export function itemId() {
  return id('fold', 'file').meta({ examples: ['file_01kaj2n5w5fq8b4m0g3v7x9rtc'] });
}
