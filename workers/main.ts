import { domains } from '../shared/domains.ts';
import type { Queue } from '../shared/kernel/job.ts';
import { programOptions } from '../shared/kernel/program-options.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { openScanner } from '../shared/platform/intake/open-scanner.ts';
import { closeMailbox, mailboxFolder } from '../shared/platform/mailer/mailbox.ts';
import { openTransport } from '../shared/platform/mailer/open-transport.ts';
import { queueNames, queues } from '../shared/platform/queues.ts';
import { readWorkerSettings } from '../shared/platform/settings/settings.ts';
import { openStorage } from '../shared/platform/storage/open.ts';
import { sweepsOf } from '../shared/platform/sweeps/sweeps.ts';
import { handlersOf, sweepsBySettings } from './handlers.ts';
import { raiseNiceness } from './kernel/niceness.ts';
import { runWorkers } from './kernel/process.ts';

/**
 * The workers' program. `--queues email,csv-import` chooses among the queues; all that have a handler otherwise. The log
 * names the process by `--name`; `--nice 10` lowers its priority.
 */
async function main(): Promise<void> {
  const settings = readWorkerSettings(process.env);
  const values = programOptions(process.argv.slice(2), {
    queues: { type: 'string' },
    name: { type: 'string', default: 'workers' },
    nice: { type: 'string' },
  });
  if (values.nice !== undefined) raiseNiceness(nicenessOf(values.nice));
  await closeMailbox(mailboxFolder(settings.dataDir));
  const storage = await openStorage(settings);
  const handled = handlersOf(settings, { storage, transport: await openTransport(settings) });
  await runWorkers({
    settings,
    handled,
    shapes: queues,
    sweeps: [
      ...sweepsOf(domains, { storage, scanner: openScanner(settings), data_dir: settings.dataDir }),
      ...sweepsBySettings(settings),
    ],
    chosen: values.queues === undefined ? null : queuesOf(values.queues),
    name: values.name,
  });
}

function queuesOf(words: string): Queue[] {
  return words.split(',').map((name) => {
    const queue = queueNames.find((known) => known === name.trim());
    if (!queue)
      throw new StartupError(`--queues takes names with commas between them, of: ${queueNames.join(', ')}.`);
    return queue;
  });
}

function nicenessOf(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= 19) return Number(text);
  throw new StartupError('--nice takes a whole number from 0 to 19.');
}

main().catch((error) => {
  process.stderr.write(`${error instanceof StartupError ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
});
