import { secretKeysOf } from '../../../shared/platform/secrets/keys.ts';
import type { WorkerSettings } from '../../../shared/platform/settings/settings.ts';
import { openSender, type Sender } from './sender.ts';
import type { SliceOptions } from './slice.ts';

/** How slices send: over one sender a process, whose client is loaded with the first campaign. */
export function sendingOf(settings: WorkerSettings): SliceOptions {
  const { smtpUrl, dataDir, mailConnections, mailRatePerSecond, baseUrl } = settings;
  let sender: Promise<Sender> | null = null;
  const open = async () => {
    const openDoor = smtpUrl
      ? (await import('./smtp-door.ts')).smtpDoors(smtpUrl)
      : (await import('./mailbox-door.ts')).mailboxDoors(dataDir);
    return openSender({ openDoor, connections: mailConnections, clock: Date.now });
  };
  return {
    sender: () => {
      sender ??= open();
      return sender;
    },
    settings: {
      base_url: baseUrl,
      secrets: secretKeysOf(settings),
      per_second: mailRatePerSecond === 0 ? null : mailRatePerSecond,
    },
  };
}
