import { notFound } from '../../../shared/kernel/failure.ts';
import { storedDocument } from '../../../shared/sign/documents/queries.ts';
import { seenBy } from '../../../shared/sign/guests/seen.ts';
import { requireStanding } from '../../../shared/sign/guests/standing.ts';
import { signLinks } from '../../../shared/sign/links/links.ts';
import { guestPdf } from '../../../shared/sign/redrawn/redrawn.ts';
import type { LinkedPage, LinkedVisit, Sent } from '../../pages/kit/page.ts';
import { guestAt } from './visitor.ts';

/** The PDF of a document for who has opened it: with the values of those who have signed, and sealed in the end. */
export const pdfPage: LinkedPage = {
  path: '/sign/:token/pdf',
  opened_by: { purpose: signLinks, for_guests: true },
  show,
};

async function show(visit: LinkedVisit): Promise<Sent> {
  const guest = guestAt(visit);
  const found = await visit.steps.read(async (reader) => {
    const seen = await seenBy(reader, guest);
    requireStanding(seen, 'read', reader.now);
    return guestPdf(reader, await storedDocument(reader, seen.document_id));
  });
  if (!found) throw notFound();
  const { storage_key, file_name, size_bytes, sha256, created_at } = found.file;
  return {
    file: {
      storage_key,
      file_name,
      size: size_bytes,
      sha256,
      created_at,
      media_type: 'application/pdf',
      delivery: { disposition: 'inline', ranges: true, redirect: false },
    },
  };
}
