import { signLinks } from '../../../shared/sign/links/links.ts';
import type { LinkedPage, LinkedVisit, Sent } from '../../pages/kit/page.ts';
import { servedToGuest } from '../guest-files.ts';
import { guestAt } from './visitor.ts';

/** The PDF of a document for who has opened it: with the values of those who have signed, and sealed in the end. */
export const pdfPage: LinkedPage = {
  path: '/sign/:token/pdf',
  opened_by: { purpose: signLinks, for_guests: true },
  show,
};

/** In parts, so that the first page of a long document is drawn before the last one has come. */
async function show(visit: LinkedVisit): Promise<Sent> {
  const { delivery, ...file } = await servedToGuest(visit.steps, guestAt(visit), {
    which: 'pdf',
    is_shown: true,
  });
  return { file: { ...file, delivery: { ...delivery, ranges: true } } };
}
