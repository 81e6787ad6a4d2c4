import { invalid } from '../../../shared/kernel/failure.ts';
import { arriving, MOST_VERIFIED } from '../../../shared/sign/verifying/places.ts';
import type { Verification } from '../../../shared/sign/verifying/record.ts';
import { signaturesIn, verifyFile, verifyHash, verifyHead } from '../../../shared/sign/verifying/verify.ts';
import type { Form, PlainPage, Refused, View, Visit } from '../../pages/kit/page.ts';
import type { Sought } from './verified.ts';
import { verifyBody } from './verify-forms.ts';
import { verifyWords } from './verify-words.ts';

/** Bytes that the form may have beside its file. */
const FORM_OVERHEAD = 64 * 1024;

const SHA256 = /^[0-9a-f]{64}$/;

/** Where anybody verifies a file, or its hash; the code of a certificate leads here with the head of its record. */
export const verifyPage: PlainPage = {
  path: '/verify',
  for_everybody: true,
  form_bytes: MOST_VERIFIED + FORM_OVERHEAD,
  takes_files: true,
  arriving,
  show,
  submit,
};

async function show(visit: Visit, refused?: Refused): Promise<View> {
  const [document_id, head] = [visit.query('document_id'), visit.query('head')];
  const isOfRecord = refused === undefined && /^doc_\w{1,40}$/.test(document_id) && SHA256.test(head);
  if (!isOfRecord) return view(visit, null, refused);
  const found = await visit.steps.read(({ connection }) => verifyHead(connection, document_id, head));
  return { ...view(visit, { found, sought: { by: 'record', head } }), kept: { document_id, head } };
}

async function submit(visit: Visit, form: Form): Promise<View> {
  if (form.get('by') === 'file')
    return view(visit, { found: await fileIn(visit, form), sought: { by: 'file' } });
  // Programs print hashes in either case, and with spaces around.
  const sha256 = form.get('sha256').trim().toLowerCase();
  if (!SHA256.test(sha256)) {
    throw invalid('/sha256', 'invalid_format', verifyFault('sha256'));
  }
  const found = await visit.steps.read(({ connection }) => verifyHash(connection, sha256));
  return view(visit, { found, sought: { by: 'sha256' } });
}

async function fileIn({ steps }: Visit, form: Form): Promise<Verification> {
  const file = form.file('file');
  if (file === null) throw invalid('/file', 'required', verifyFault('file'));
  const signatures = await signaturesIn(file, new AbortController().signal);
  return steps.read(({ connection }) => verifyFile(connection, file, signatures));
}

function verifyFault(name: 'file' | 'sha256'): { en: string; ja: string } {
  return { en: verifyWords.en.faults[name], ja: verifyWords.ja.faults[name] };
}

function view(
  visit: Visit,
  verified: { found: Verification; sought: Sought } | null,
  refused?: Refused,
): View {
  return { title: verifyWords[visit.language].title, body: verifyBody(visit, { verified, refused }) };
}
