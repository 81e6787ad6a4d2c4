/** A program that opens links by itself: a part of the name that it gives itself, and the day from which it counts as one. */
export type RobotAgent = { part: string; since: string };

const since = '2026-11-27';

/**
 * Who opens the links of mails without a person: those that test them, that show what they lead to, and that search the web. Not
 * those that fetch a picture once a person has opened a mail (`GoogleImageProxy`, `YahooMailProxy`).
 */
export const robotAgents: readonly RobotAgent[] = [
  'bot/',
  'bot;',
  'bot)',
  'crawler',
  'spider',
  'scanner',
  'linkcheck',
  'barracuda',
  'mimecast',
  'proofpoint',
  'symantec',
  'trendmicro',
  'forcepoint',
  'google-safety',
  'googleother',
  'google-read-aloud',
  'bingpreview',
  'skypeuripreview',
  'existence discovery',
  'slackbot',
  'facebookexternalhit',
  'telegrambot',
  'whatsapp/',
  'iframely',
  'embedly',
  'headlesschrome',
  'phantomjs',
  'lighthouse',
  'curl/',
  'wget/',
  'python-requests',
  'python-urllib',
  'aiohttp',
  'go-http-client',
  'libwww-perl',
  'java/',
  'node-fetch',
  'axios/',
].map((part) => ({ part, since }));

/** Names are no longer than this; what follows is not looked at. */
const LONGEST = 1_000;

/** Whether a program with that name opened a link by itself, by what was known on that day. */
export function isRobotAgent(user_agent: string | null, now: Date): boolean {
  const name = (user_agent ?? '').slice(0, LONGEST).toLowerCase();
  const day = now.toISOString().slice(0, 10);
  return robotAgents.some((agent) => agent.since <= day && name.includes(agent.part));
}
