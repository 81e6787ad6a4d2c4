import { html } from 'ghtml';
import type { ItemRow } from '../../../shared/cloud/items/model.ts';
import { shareLinks } from '../../../shared/cloud/shares/links.ts';
import type { OpenedShare } from '../../../shared/cloud/shares/opened.ts';
import { namesAmong } from '../../../shared/cloud/shares/view.ts';
import { timeZoneOf } from '../../../shared/invoicing/settings/queries.ts';
import { type Failure, notFound } from '../../../shared/kernel/failure.ts';
import type { Reader } from '../../../shared/kernel/reader.ts';
import { organizationById } from '../../../shared/platform/access/organizations/queries.ts';
import { decoded } from '../../http/decoded.ts';
import { form } from '../../pages/kit/fields.ts';
import type { Form, Go, LinkedPage, LinkedVisit, Page, Refused, Sent, View } from '../../pages/kit/page.ts';
import { itemOfShare, PASSWORD_HEADER, servedOfShare, shareOfLink } from '../open-share.ts';
import { requireSharePassword } from '../share-password.ts';
import { filePage } from './file.ts';
import { folderPage } from './folder.ts';
import { isProven, provenCookie } from './proof.ts';
import { words } from './words.ts';

/** The part of the path that stands before what lies in the share. */
const root = ({ param }: LinkedVisit) => `/s/${param}/`;

const common = {
  opened_by: { purpose: shareLinks, for_guests: true },
  hears: [PASSWORD_HEADER, 'Accept'],
};

/** `/s/{token}` without its slash, in which relative links would lead elsewhere. */
const bare: LinkedPage = {
  ...common,
  path: '/s/:token',
  show: async (visit) => ({ to: visit.link(root(visit)) }),
};

const at = (path: string): LinkedPage => ({ ...common, path, show, submit });

/** What people outside open who have the link of a share: its folders and its files. */
export const sharePages: readonly Page[] = [bare, at('/s/:token/'), at('/s/:token/*path')];

async function show(visit: LinkedVisit, refused?: Refused): Promise<View | Go | Sent> {
  const view = await shownTo(visit, refused);
  return 'body' in view ? { ...view, frame: { name: await visit.steps.read(nameOf), head: '' } } : view;
}

/** Whose share it is, which its page says in the place of the service's name. */
async function nameOf({ connection, organization_id }: Reader): Promise<string> {
  return (await organizationById(connection, organization_id)).name;
}

async function shownTo(visit: LinkedVisit, refused?: Refused): Promise<View | Go | Sent> {
  if (refused && !isAboutPassword(refused.failure)) throw refused.failure;
  if (refused) return passwordPage(visit, refused);
  const { steps } = visit;
  const opened = await shareOfLink(steps, visit.opened);
  if (!(await isUnlocked(visit, opened))) return { status: 403, ...passwordPage(visit) };
  const { names, is_folder } = whatIsAsked(visit);
  const item = await itemOfShare(steps, opened, names);
  return shown(visit, opened, { item, names, is_folder });
}

type Asked = { names: string[]; is_folder: boolean };

async function shown(
  visit: LinkedVisit,
  opened: OpenedShare,
  { item, names, is_folder }: Asked & { item: ItemRow },
): Promise<View | Go | Sent> {
  const { steps, path, link } = visit;
  if (!is_folder) {
    return item.kind === 'file' ? { file: servedOfShare(steps, opened, item) } : { to: link(`${path}/`) };
  }
  const time_zone = await steps.read(timeZoneOf);
  if (item.kind === 'folder') return folderPage(visit, { opened, folder: item, names, time_zone });
  // A file has no page of its own unless it is what is shared.
  if (names.length > 0) throw notFound();
  return filePage(visit, { opened, file: item, time_zone });
}

/** The names in the path, each decoded by itself: one with a slash in it is none. Errors: `not_found`. */
function whatIsAsked({ path }: LinkedVisit): Asked {
  const texts = path.split('/').slice(3).map(decoded);
  const is_folder = texts.at(-1) === '';
  const names = namesAmong(is_folder ? texts.slice(0, -1) : texts);
  if (!names) throw notFound();
  return { names, is_folder };
}

/** By the cookie of a browser, or the header of a program. Errors: `share_password` for a wrong one, `rate_limited`. */
async function isUnlocked({ steps }: LinkedVisit, { share }: OpenedShare): Promise<boolean> {
  if (share.password_hash === null || isProven(steps, share)) return true;
  const sent = steps.heard[PASSWORD_HEADER] ?? null;
  if (sent === null) return false;
  await requireSharePassword(steps, share, sent);
  return true;
}

async function submit(visit: LinkedVisit, sent: Form): Promise<Go> {
  const { steps, path, link } = visit;
  const { share } = await shareOfLink(steps, visit.opened);
  await requireSharePassword(steps, share, sent.get('password') || null);
  return { to: link(path), cookies: [provenCookie(steps, share, root(visit))] };
}

function isAboutPassword({ code }: Failure): boolean {
  return code === 'share_password' || code === 'rate_limited';
}

function passwordPage(visit: LinkedVisit, refused?: Refused): View {
  const say = words[visit.language];
  const field = {
    name: 'password',
    label: say.password,
    type: 'password',
    autocomplete: 'off',
  } as const;
  const body = html`<h1>${say.locked}</h1>
<p>${say.ask}</p>
!${form(visit, { fields: [field], button: say.open, refused })}`;
  return { title: say.locked, body };
}
