import { type SecretKeys, secretKeysOf } from '../secrets/keys.ts';
import type { WorkerSettings } from '../settings/settings.ts';
import { type Outside, openOutside } from './call.ts';

/** What the settings say about services outside: how they are called, and what opens their secrets. */
export type OutsideServices = {
  call: Outside;
  secret_keys: SecretKeys;
  /** The root of the API of Slack, without a slash at the end. */
  slack_url: string;
};

type OutsideSettings = Pick<
  WorkerSettings,
  'slackUrl' | 'outsideHosts' | 'secretsKey' | 'previousSecretsKey'
>;

/** Opens it by the settings. The host of SLACK_URL is one that the operator named, so it may be private. */
export function outsideServices(settings: OutsideSettings): OutsideServices {
  const { slackUrl, outsideHosts } = settings;
  return {
    call: openOutside({ trusted_hosts: [...outsideHosts, new URL(slackUrl).host] }),
    secret_keys: secretKeysOf(settings),
    slack_url: slackUrl.replace(/\/+$/, ''),
  };
}
