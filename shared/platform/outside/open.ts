import { type SecretKeys, secretKeysOf } from '../secrets/keys.ts';
import type { WorkerSettings } from '../settings/settings.ts';
import { type Outside, openAddressCheck, openOutside } from './call.ts';
import type { OutsideReason } from './failure.ts';

/** The OAuth client at Google, and one base for its hosts; null for those of Google itself. */
export type GoogleClient = { id: string; secret: string; url: string | null };

/** What the settings say about services outside: how they are called, and what opens their secrets. */
export type OutsideServices = {
  call: Outside;
  secret_keys: SecretKeys;
  /** The root of the API of Slack, without a slash at the end. */
  slack_url: string;
  /** For hosts that members name: https at public addresses, or what CALENDAR_HOSTS names. */
  named_by_members: {
    call: Outside;
    check: (url: string, time_limit: number) => Promise<OutsideReason | null>;
  };
  /** null where no calendar of Google can be connected. */
  google: GoogleClient | null;
  /** Where this service is reached, for addresses that others call or send people to. */
  base_url: string;
};

type OutsideSettings = Pick<
  WorkerSettings,
  | 'slackUrl'
  | 'outsideHosts'
  | 'calendarHosts'
  | 'secretsKey'
  | 'previousSecretsKey'
  | 'googleClientId'
  | 'googleClientSecret'
  | 'googleUrl'
  | 'baseUrl'
>;

/** Opens it by the settings. The hosts of SLACK_URL and GOOGLE_URL are named by the operator, so they may be private. */
export function outsideServices(settings: OutsideSettings): OutsideServices {
  const { slackUrl, googleUrl, googleClientId: id, googleClientSecret: secret, outsideHosts } = settings;
  const named = [slackUrl, ...(googleUrl === undefined ? [] : [googleUrl])].map((url) => new URL(url).host);
  const members = { trusted_hosts: settings.calendarHosts, https_alone: true };
  return {
    call: openOutside({ trusted_hosts: [...outsideHosts, ...named] }),
    secret_keys: secretKeysOf(settings),
    slack_url: slackUrl.replace(/\/+$/, ''),
    named_by_members: { call: openOutside(members), check: openAddressCheck(members) },
    google: id && secret ? { id, secret, url: googleUrl?.replace(/\/+$/, '') ?? null } : null,
    // Read late: tests learn their port after the settings were read.
    get base_url() {
      return settings.baseUrl;
    },
  };
}
