import { Failure } from '../../shared/kernel/failure.ts';
import type { Link } from '../../shared/platform/links/links.ts';
import type { FileRow } from '../../shared/sign/documents/rows.ts';
import { fileForGuest, noteDownload } from '../../shared/sign/guests/files.ts';
import type { Guest } from '../../shared/sign/guests/seen.ts';
import { signLinks } from '../../shared/sign/links/links.ts';
import { type ServedFile, stepwiseFile } from '../http/files/declarations.ts';
import type { Steps } from '../http/steps.ts';
import { admits, guestOf } from './guest.ts';
import { ACTING, linkParams, PATH } from './link-path.ts';

/**
 * A file of a document as it is handed to a guest with access; its beginning stands in the trail, with whether it is for the page to
 * show.
 */
export async function servedToGuest(
  steps: Steps,
  guest: Guest,
  { which, is_shown }: { which: 'pdf' | 'certificate'; is_shown: boolean },
): Promise<ServedFile> {
  const file = await currentFile(steps, guest, which);
  const { organization_id } = steps.caller;
  return {
    storage_key: file.storage_key,
    file_name: file.file_name,
    media_type: 'application/pdf',
    size: file.size_bytes,
    sha256: file.sha256,
    created_at: file.created_at,
    delivery: {
      disposition: 'inline',
      begin: () =>
        steps.write({ organization_id }, (work) => noteDownload(work, guest, { ...file, is_shown })),
    },
  };
}

/**
 * The file with all that was signed: where a worker is still drawing it, it is waited for, without a connection to the database.
 * Errors: `unavailable` where it is not made in time, and those of `fileForGuest`.
 */
async function currentFile(steps: Steps, guest: Guest, which: 'pdf' | 'certificate'): Promise<FileRow> {
  const { time_limits, notices, ending } = steps.context;
  const look = () => steps.read((reader) => fileForGuest(reader, guest, which));
  const first = await look();
  if (first.is_current) return first.file;
  const until = performance.now() + time_limits.generating;
  const watch = notices.watch(first.file.document_id);
  try {
    for (;;) {
      const found = await look();
      if (found.is_current) return found.file;
      const left = until - performance.now();
      if (left <= 0 || !(await watch.changed(left, ending))) throw notDrawn();
    }
  } finally {
    watch.end();
  }
}

function notDrawn(): Failure {
  return new Failure('unavailable', {
    detail: {
      en: 'What others signed is being drawn into the PDF; try again in a moment',
      ja: 'ほかの方の署名をPDFに反映しています。少し待ってからもう一度お試しください',
    },
    headers: { 'Retry-After': '5' },
    is_expected: true,
  });
}

const handed = (which: 'pdf' | 'certificate') => async (came: Came, steps: Steps) =>
  servedToGuest(steps, guestOf({ ...came, user_agent: came.client.user_agent }), {
    which,
    is_shown: false,
  });

type Came = {
  link: Link | null;
  cookies: string | null;
  base_url: string;
  client: { user_agent: string | null };
};

const ofLink = {
  scope: 'link',
  link: signLinks,
  params: linkParams,
  media_types: ['application/pdf'],
  admits: admits('read'),
  raises: ACTING,
} as const;

/** The files that signers read by their link. */
export const guestFiles = [
  stepwiseFile({
    ...ofLink,
    id: 'sign.signing.pdf',
    path: `${PATH}/pdf`,
    summary: 'Read the PDF of a document by its link',
    description:
      'The upload with the values of those who have signed; the sealed one once there is one. While the last values are being drawn the call waits, up to 15 seconds; then it is answered 503. Taking it stands in the trail, once for an access and a version.',
    handle: handed('pdf'),
  }),
  stepwiseFile({
    ...ofLink,
    id: 'sign.signing.certificate',
    path: `${PATH}/certificate`,
    summary: 'Read the certificate of a document by its link',
    description:
      'A second sealed PDF with certificate and trail, of a document whose upload had signatures already. Else 404: it stands at the end of the sealed PDF.',
    handle: handed('certificate'),
  }),
];
