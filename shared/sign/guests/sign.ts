import { todayIn } from '../../kernel/days.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { announceSigner, documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import type { FieldRow, StoredDocument } from '../documents/rows.ts';
import { fileOfKind, shownValue } from '../documents/shown.ts';
import { hasAccessCode, type SignerAuth } from '../documents/words.ts';
import { signingGoesOn } from '../life/notify.ts';
import { addToTrail } from '../trail/add.ts';
import { isMailed } from './codes.ts';
import { consentAt } from './consent.ts';
import { entryOf } from './entry.ts';
import { lockForGuest, ownSigner } from './locked.ts';
import type { SignInput, Signing } from './record.ts';
import type { Guest } from './seen.ts';
import { hashOfSigned, shownTo, signedIn } from './shown.ts';
import { type JudgedValues, refuseValues, requireRoom } from './values.ts';

/**
 * Signs: keeps the values, sets the days, says so in the trail, and lets the signing go on, all in one commit under the
 * document's lock, so of many at once one signs and the last signer alone asks for the seal. Errors: `not_found`, those of
 * `requireStanding`, `consent_changed`, `document_changed`, `validation_failed` at `/values/{field}`.
 */
export async function signDocument(
  work: Work,
  guest: Guest,
  input: Omit<SignInput, 'values'>,
  judged: JudgedValues,
): Promise<Signing> {
  const { stored, seen } = await lockForGuest(work, guest, 'act');
  const { version } = consentAt(work.now);
  if (input.consent_version !== version) throw new Failure('consent_changed');
  await requireShown(work, stored, input);
  const placeOf = (name: string) => `/values/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  refuseValues(judged.faults, placeOf);
  const draft = draftOf(stored);
  const signer = ownSigner(draft, seen);
  const own = draft.fields.filter(({ signer_id }) => signer_id === signer.id);
  for (const field of own) fill(field, judged, todayIn(draft.document.time_zone, work.now));
  const empty = own.filter(isMissing).map(({ id }) => ({ name: judged.names.get(id) ?? id, ...REQUIRED }));
  refuseValues(empty, placeOf);
  requireRoom(own, '/values');
  Object.assign(signer, {
    status: 'signed',
    signed_at: work.now.toISOString(),
    signed_from: {
      ip_address: work.ip_address,
      user_agent: guest.user_agent,
      methods: methodsOf(signer.auth),
    },
    next_reminder_at: null,
  });
  const said = {
    document_sha256: input.document_sha256,
    values_sha256: input.values_sha256,
    own_values_sha256: hashOfSigned(draft, [signer.id]),
    consent_version: version,
  };
  addToTrail(work, draft.document, [entryOf(guest, signer, 'signed', said)]);
  await signingGoesOn(work, draft);
  const after = documentChanged(work, stored, draft);
  announceSigner(work, 'sign.signer.signed', ownSigner(stored, seen), signer);
  return shownTo({ ...seen, status: 'signed' }, after, work.now);
}

const REQUIRED = { code: 'required', message: { en: 'is required', ja: 'は必須です' } } as const;

/** The value of a field when its signer signs: what came now, else what was saved; a day is that of signing. */
function fill(field: FieldRow, { values }: JudgedValues, today: string): void {
  if (field.type === 'date') field.value = today;
  else if (values.has(field.id)) field.value = values.get(field.id)!;
}

/** Whether a required field has nothing in it; a box that must be ticked and is not has nothing. */
function isMissing(field: FieldRow): boolean {
  const value = shownValue(field);
  return (
    field.required &&
    (value === null || value === false || (typeof value === 'string' && value.trim() === ''))
  );
}

/** How a signer has shown who they are. */
function methodsOf(auth: SignerAuth): string[] {
  return [...(hasAccessCode(auth) ? ['access_code'] : []), ...(isMailed(auth) ? ['email_otp'] : [])];
}

/**
 * Sees that what was shown is the document, in any state since it was sent: with the values of those who had signed by then.
 * Errors: `document_changed`.
 */
async function requireShown(
  work: Work,
  stored: StoredDocument,
  { document_sha256, values_sha256 }: Pick<SignInput, 'document_sha256' | 'values_sha256'>,
): Promise<void> {
  if (document_sha256 !== fileOfKind(stored.files, 'original')!.sha256) throw new Failure('document_changed');
  const signed = new Set(signedIn(stored.signers));
  if (hashOfSigned(stored, [...signed]) === values_sha256) return;
  const order = (await orderOfSigning(work, stored)).filter((id) => signed.has(id));
  for (let count = order.length - 1; count >= 0; count--) {
    if (hashOfSigned(stored, order.slice(0, count)) === values_sha256) return;
  }
  throw new Failure('document_changed');
}

/** Who signed, in the order of the trail. */
async function orderOfSigning(
  { connection, organization_id }: Work,
  { document }: StoredDocument,
): Promise<string[]> {
  const rows = await connection.query<{ signer_id: string }>(
    `SELECT data->>'signer_id' AS signer_id FROM sign_trail
      WHERE organization_id = $1 AND document_id = $2 AND type = 'signed' ORDER BY seq`,
    [organization_id, document.id],
  );
  return rows.map(({ signer_id }) => signer_id);
}
