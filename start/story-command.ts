import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { programOptions } from '../shared/kernel/program-options.ts';
import { StartupError } from '../shared/kernel/startup-error.ts';
import { readStartSettings } from '../shared/platform/settings/settings.ts';
import { printed } from './story/attendance/closing.ts';
import { monthOfWork } from './story/attendance/story.ts';
import { beginning } from './story/beginning.ts';
import { closed, opened, type Quarter, reported, sold, spent } from './story/books.ts';
import { type Caller, caller } from './story/caller.ts';
import { addressed, drafted, mailed } from './story/campaigns.ts';
import { credentialFor } from './story/credential.ts';
import { arranged, filed, revised, shared } from './story/files.ts';
import { answered, built, flagged, summed, versioned } from './story/forms.ts';
import { agreed } from './story/hledger.ts';
import { aged, issued, matched, written } from './story/month.ts';
import {
  correctedThenApproved,
  deliveredShort,
  fromSmallSupplier,
  paid,
  prepared,
  proven,
} from './story/received.ts';
import { delivered, invoiced, lookedAt, quoted, settled } from './story/sale.ts';
import { booked, confirmed, offered, overseen, proposed, seated } from './story/scheduler.ts';
import { sealed, sentForSigning, signedBySupplier } from './story/sign.ts';
import { type Teller, teller } from './story/teller.ts';

/** npm run demo: a story that is told while it happens against the service that runs. */
const HELP = `npm run demo -- [sale | month | books | files | attendance | scheduler | sign | received | forms | campaigns] [--mine] [--url http://localhost:3000] [--folder demo]

Tells a story with the requests that make it, and leaves its files in the folder:
  sale        one sale, from the quotation to the credit note (unless said otherwise)
  month       300 invoices out of a file: approved, mailed, filed as one zip, paid by a bank's statement, and who owes what
  books       the first quarter of a small company, from its chart of accounts to the close, and the reports
  files       folders, one of which few people see, a contract in versions, the PDF of an invoice, a share
  attendance  last month of three people, from the roster to the confirmation, and its timesheets
  scheduler   pages on which guests book, a start with several seats, a confirmation, a proposal of times
  sign        an order that is signed, approved, sealed and verified (its mails are read where the service keeps them)
  received    an invoice that bills more than came, its correction, entries, the file for the bank, and the proof of it all
  forms       a form that branches, its responses, one that is flagged and taken back, a second version, the summary
  campaigns   who sends and to whom, a campaign with its checks, what came of its mails, and their file
The service has to run (npm start); without --url it is looked for where BASE_URL and PORT say. A company
is founded for it. With --mine it is told in the organization of API_KEY, whose name on invoices, bank
account, logo and seal become those of the story (attendance permits leave by the hour instead, and
campaigns fills in what the sender of the mail settings lacks): for organizations to try things out.`;

type Told = { url: string; today: string; folder: string };

async function tellSale(api: Caller, tell: Teller, { url, today }: Told): Promise<void> {
  const { company_id, supplier_id } = await beginning(api, tell);
  const quotation = await quoted(api, tell, company_id, { today });
  const notes = await delivered(api, tell, quotation, { supplier_id, today });
  const invoice = await invoiced(api, tell, notes, { today });
  await settled(api, tell, invoice, { today });
  await lookedAt(api, tell, invoice);
  print(
    `\nWhere no mail server is set, the mails are at ${url}/ops/mailbox, with the password for operators.`,
  );
}

async function tellMonth(api: Caller, tell: Teller, { url, today }: Told): Promise<void> {
  const last = Temporal.PlainDate.from(today).with({ day: 1 }).subtract({ days: 1 });
  const month = { from: last.with({ day: 1 }).toString(), to: last.toString(), tag: tagOfTelling() };
  await written(api, tell, month);
  await issued(api, tell, month);
  await matched(api, tell, month);
  await aged(api, tell);
  tell.say(`Where no mail server is set, the mails are at ${url}/ops/mailbox.`);
}

async function tellBooks(api: Caller, tell: Teller, { today }: Told): Promise<void> {
  const quarter = quarterBefore(today);
  const { company_id } = await beginning(api, tell);
  const year_id = await opened(api, tell, quarter);
  await sold(api, tell, company_id, quarter);
  await spent(api, tell, quarter);
  await closed(api, tell, year_id, quarter);
  await reported(api, tell, year_id);
  await agreed(api, tell, year_id);
}

async function tellFiles(api: Caller, tell: Teller, { today }: Told): Promise<void> {
  const { company_id } = await beginning(api, tell);
  const { open_id, closed_id } = await arranged(api, tell);
  await revised(api, tell, closed_id);
  await filed(api, tell, { company_id, folder_id: open_id, today });
  await shared(api, tell, open_id);
}

async function tellAttendance(api: Caller, tell: Teller, { today }: Told): Promise<void> {
  const { office, month } = await monthOfWork(api, tell, { today, tag: tagOfTelling() });
  await printed(api, tell, office, month);
}

async function tellScheduler(api: Caller, tell: Teller): Promise<void> {
  const { talk, visit, request } = await offered(api, tell);
  await booked(api, tell, talk);
  await seated(api, tell, visit);
  await confirmed(api, tell, request);
  await proposed(api, tell, talk);
  await overseen(api, tell);
  tell.say(`The page of the organization: ${talk.page.slice(0, talk.page.lastIndexOf('/'))}`);
}

async function tellSign(api: Caller, tell: Teller, { url, today, folder }: Told): Promise<void> {
  const { supplier_id } = await beginning(api, tell);
  const document = await sentForSigning(api, tell, { supplier_id, today, tag: tagOfTelling() });
  const { dataDir: data_dir } = readStartSettings(process.env);
  const guest = await signedBySupplier(api, tell, { url, folder, data_dir }, document);
  await sealed(api, tell, { document, guest, url });
}

async function tellReceived(api: Caller, tell: Teller, { today }: Told): Promise<void> {
  const { supplier_id } = await beginning(api, tell);
  const purchase = { supplier_id, today, tag: tagOfTelling() };
  await prepared(api, tell, today);
  const order_id = await deliveredShort(api, tell, purchase);
  const by_bank = await correctedThenApproved(api, tell, order_id, purchase);
  const in_cash = await fromSmallSupplier(api, tell, purchase);
  await paid(api, tell, { by_bank, in_cash, today });
  await proven(api, tell);
}

async function tellForms(api: Caller, tell: Teller): Promise<void> {
  const form = await built(api, tell);
  await answered(api, tell, form);
  await flagged(api, tell, form);
  await versioned(api, tell, form);
  await summed(api, tell, form);
  tell.say(`The form for guests: ${form.page}`);
}

async function tellCampaigns(api: Caller, tell: Teller, { url }: Told): Promise<void> {
  const list_id = await addressed(api, tell, tagOfTelling());
  await mailed(api, tell, await drafted(api, tell, list_id));
  tell.say(`Where no mail server is set, the mails are at ${url}/ops/mailbox.`);
}

/** What sets names of this telling apart from those of others. */
function tagOfTelling(): string {
  return randomBytes(3).toString('hex');
}

/** April to June of the year before: every day of it is past. */
function quarterBefore(today: string): Quarter {
  const first = Temporal.PlainDate.from({ year: Temporal.PlainDate.from(today).year - 1, month: 4, day: 1 });
  return {
    from: first.toString(),
    to: first.add({ months: 3 }).subtract({ days: 1 }).toString(),
    day: (months, day) => first.add({ months }).with({ day }).toString(),
  };
}

const stories = {
  sale: tellSale,
  month: tellMonth,
  books: tellBooks,
  files: tellFiles,
  attendance: tellAttendance,
  scheduler: tellScheduler,
  sign: tellSign,
  received: tellReceived,
  forms: tellForms,
  campaigns: tellCampaigns,
};

async function tellStory(words: string[]): Promise<void> {
  const [first = ''] = words;
  const isNamed = !first.startsWith('--') && first !== '';
  const values = programOptions(isNamed ? words.slice(1) : words, {
    url: { type: 'string' },
    folder: { type: 'string', default: 'demo' },
    mine: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  if (values.help) return print(HELP);
  const story = stories[(isNamed ? first : 'sale') as keyof typeof stories];
  if (!story) throw new StartupError(`There is no story ${first}.\n\n${HELP}`);
  const url = values.url?.replace(/\/$/, '') ?? readStartSettings(process.env).baseUrl;
  const folder = resolve(values.folder);
  const tell = teller(print, { colour: process.stdout.isTTY ?? false });
  await requireService(url);
  await mkdir(folder, { recursive: true });
  const credential = await credentialFor(url, values.mine ? ownKey() : null);
  const today = Temporal.Now.plainDateISO('Asia/Tokyo').toString();
  await story(caller({ url, folder, credential }, tell), tell, { url, today, folder });
  print(`\nThe files are in ${folder}.`);
}

function ownKey(): string {
  const key = process.env['API_KEY'];
  if (!key) throw new StartupError('--mine needs API_KEY, a key of the organization.');
  return key;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function requireService(url: string): Promise<void> {
  const ready = await fetch(`${url}/readyz`).catch(() => null);
  if (!ready?.ok) throw new StartupError(`The service does not answer at ${url}: start it with npm start.`);
}

try {
  await tellStory(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
