import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { programOptions } from '../shared/kernel/program-options.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { readStartSettings } from '../shared/platform/settings/settings.ts';
import { beginning } from './sale/beginning.ts';
import { caller } from './sale/caller.ts';
import { credentialFor } from './sale/credential.ts';
import { delivered, invoiced, lookedAt, quoted, settled } from './sale/sale.ts';
import { teller } from './sale/teller.ts';

/** npm run demo: the story of one sale, told while it happens against the service that runs. */
const HELP = `npm run demo -- [--url http://localhost:3000] [--folder demo]

Tells the story of one sale with the requests that make it, and leaves the PDFs in the folder. The service
has to run (npm start); without --url it is looked for where BASE_URL and PORT say. API_KEY=sk_... tells it in your organization; without, a company is founded for it.`;

async function tellSale(words: string[]): Promise<void> {
  const values = programOptions(words, {
    url: { type: 'string' },
    folder: { type: 'string', default: 'demo' },
    help: { type: 'boolean', default: false },
  });
  if (values.help) return print(HELP);
  const url = values.url?.replace(/\/$/, '') ?? readStartSettings(process.env).baseUrl;
  const folder = resolve(values.folder);
  const tell = teller(print, { colour: process.stdout.isTTY ?? false });
  await requireService(url);
  await mkdir(folder, { recursive: true });
  const api = caller(
    { url, folder, credential: await credentialFor(url, process.env['API_KEY'] ?? null) },
    tell,
  );
  const today = Temporal.Now.plainDateISO('Asia/Tokyo').toString();

  const { company_id, supplier_id } = await beginning(api, tell);
  const quotation = await quoted(api, tell, company_id, { today });
  const notes = await delivered(api, tell, quotation, { supplier_id, today });
  const invoice = await invoiced(api, tell, notes, { today });
  await settled(api, tell, invoice, { today });
  await lookedAt(api, tell, invoice);
  print(`\nThe documents are in ${folder}.`);
  print(`Where no mail server is set, the mails are at ${url}/ops/mailbox, with the password for operators.`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function requireService(url: string): Promise<void> {
  const ready = await fetch(`${url}/readyz`).catch(() => null);
  if (!ready?.ok) throw new StartupError(`The service does not answer at ${url}: start it with npm start.`);
}

try {
  await tellSale(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
