import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { purposesWithKeys, turnKey } from '../../shared/platform/links/keys.ts';
import { asOperator, withCommandDatabase } from '../command-database.ts';
import { type Command, readOption } from './command.ts';

/** For a key that somebody may have read: in a backup, or in a copy of the database. */
export const turnLinkKey: Command = {
  usage: 'turn-link-key --purpose PURPOSE [--end-links]',
  about:
    'gives the links of a purpose another key; with --end-links all that were sent before end, for a key that somebody has read',
  options: { purpose: { type: 'string' }, 'end-links': { type: 'boolean', default: false } },
  run: async (words, { settings, now, say }) => {
    const purpose = readOption(words, 'purpose', z.string());
    const ends_links = words['end-links'] === true;
    await withCommandDatabase(settings, async (database) => {
      const serial = await asOperator(database, now, async (work) => {
        work.nothingChanged();
        const turned = await turnKey(work.connection, purpose, { now, drawn: randomBytes(32), ends_links });
        if (turned !== null) return turned;
        const known = (await purposesWithKeys(work.connection)).join(', ') || 'none yet';
        throw new StartupError(`The purpose ${purpose} has no key. Purposes with keys: ${known}.`);
      });
      say(`Links of the purpose ${purpose} are made with key ${serial} from now on.`);
      say(
        ends_links
          ? 'Those of earlier keys have ended: their mails have to be requested again.'
          : 'Those of earlier keys go on working until their time is over.',
      );
    });
  },
};
