import type { Work } from '../../../shared/kernel/work.ts';
import type { Guest } from '../../../shared/sign/guests/seen.ts';
import type { LinkedVisit } from '../../pages/kit/page.ts';
import { guestOf } from '../guest.ts';

/** The guest who is at the page: by the link, and by the cookie of the access that the link was opened with. */
export function guestAt({ opened, steps, client: { user_agent } }: LinkedVisit): Guest {
  const { baseUrl: base_url } = steps.context.settings;
  return guestOf({ link: opened, cookies: steps.headers.get('Cookie'), base_url, user_agent });
}

/** One transaction of the guest; it may end without a fact. */
export function writeAsGuest<T>({ opened, steps }: LinkedVisit, run: (work: Work) => Promise<T>): Promise<T> {
  const { organization_id } = opened;
  return steps.write({ organization_id, may_change_nothing: true }, run);
}
