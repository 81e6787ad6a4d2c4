import type { Caller } from '../caller.ts';
import type { Teller } from '../teller.ts';
import { type Month, monthBefore } from './calendar.ts';
import { closed, corrected, explained } from './closing.ts';
import { imported, punched } from './days.ts';
import { employed, type Office, rostered, takenOver } from './office.ts';
import { overworked, rested } from './requests.ts';

/** The month before a day, from the people to the confirmation; `tag` begins the codes of its people. */
export async function monthOfWork(
  api: Caller,
  tell: Teller,
  { today, tag }: { today: string; tag: string },
): Promise<{ office: Office; month: Month }> {
  const month = monthBefore(today);
  const office = await employed(api, tell, month, tag);
  await rostered(api, tell, office, month);
  await takenOver(api, office, month);
  const scenes = await punched(api, tell, office, month);
  await imported(api, tell, office, month);
  await overworked(api, tell, office, scenes);
  await rested(api, tell, office, month, scenes);
  await corrected(api, tell, office, month, scenes);
  await explained(api, tell, office, month);
  await closed(api, tell, office, month, scenes);
  return { office, month };
}
