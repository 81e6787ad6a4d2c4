import { z } from 'zod';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { withCommandDatabase } from '../command-database.ts';
import { type Command, readOption } from './command.ts';

type Row = { id: string; slug: string; name: string; created_at: string; members: number };

const MOST = 1000;

const text = { type: 'string' } as const;
const limit = z
  .string()
  .refine((word) => /^\d{1,4}$/.test(word) && Number(word) >= 1 && Number(word) <= MOST, {
    error: `must be a whole number from 1 to ${MOST}`,
  });

/** Oldest first, by ID: the last ID of one list is where the next one begins. */
export const listOrganizations: Command = {
  usage: 'list-organizations [--after ID] [--limit 100]',
  about: 'lists organizations, the oldest first: ID, day of making, present members, slug, name',
  options: { after: { ...text, default: '' }, limit: { ...text, default: '100' } },
  run: async (words, { settings, say }) => {
    const count = Number(readOption(words, 'limit', limit));
    const after = readOption(words, 'after', z.string());
    const rows = await withCommandDatabase(settings, (database) =>
      database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
        query<Row>(
          `SELECT id, slug, name, created_at,
             (SELECT count(*)::integer FROM members m WHERE m.organization_id = o.id AND m.left_at IS NULL) AS members
           FROM organizations o WHERE id > $1 ORDER BY id LIMIT $2`,
          [after, count],
        ),
      ),
    );
    for (const row of rows) {
      say([row.id, row.created_at.slice(0, 10), row.members, row.slug, row.name].join('\t'));
    }
    if (rows.length === count) say(`There may be more: --after ${rows.at(-1)?.id}`);
  },
};
