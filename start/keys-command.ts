import { StartupError } from '../shared/kernel/startup-error.ts';
import { readStartSettings } from '../shared/platform/settings/settings.ts';
import { turnLinkKey } from './operators/link-keys.ts';
import { runProgram, say } from './operators/program.ts';

const USAGE = `npm run keys -- turn PURPOSE

      gives the links of a purpose another key, and ends all that were sent before: the same as
      npm run operators -- turn-link-key --purpose PURPOSE --end-links`;

/** npm run keys -- turn sign.link: for a key of links that somebody has read. */
runProgram(async ([word, purpose, ...rest]) => {
  if (word === undefined || word === '--help' || word === 'help') return say(USAGE);
  if (word !== 'turn' || purpose === undefined || rest.length > 0) {
    throw new StartupError('npm run keys takes turn and one purpose, such as turn sign.link.');
  }
  const settings = readStartSettings(process.env);
  await turnLinkKey.run({ purpose, 'end-links': true }, { settings, now: new Date(), say });
});
