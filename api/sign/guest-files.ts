import type { Link } from '../../shared/platform/links/links.ts';
import { fileForGuest, noteDownload } from '../../shared/sign/guests/files.ts';
import type { Guest } from '../../shared/sign/guests/seen.ts';
import { signLinks } from '../../shared/sign/links/links.ts';
import { type ServedFile, stepwiseFile } from '../http/files/declarations.ts';
import type { Steps } from '../http/steps.ts';
import { admits, guestOf } from './guest.ts';
import { ACTING, linkParams, PATH } from './link-path.ts';

/** A file of a document as it is handed to a guest with access; its beginning stands in the trail. */
export async function servedToGuest(
  steps: Steps,
  guest: Guest,
  which: 'pdf' | 'certificate',
): Promise<ServedFile> {
  const file = await steps.read((reader) => fileForGuest(reader, guest, which));
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
      begin: () => steps.write({ organization_id }, (work) => noteDownload(work, guest, file)),
    },
  };
}

const handed = (which: 'pdf' | 'certificate') => async (came: Came, steps: Steps) =>
  servedToGuest(steps, guestOf({ ...came, user_agent: came.client.user_agent }), which);

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
      'The upload with the values of those who have signed; the sealed one once there is one. Taking it stands in the trail, once for an access and a version.',
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
