import { addFile } from '../../../shared/forms/files/add.ts';
import { MOST_BYTES, requireText, rulesOfField, takenContents } from '../../../shared/forms/files/rules.ts';
import { publishedForm } from '../../../shared/forms/forms/queries.ts';
import { requireAccepting } from '../../../shared/forms/responses/accept.ts';
import { countAddress } from '../../../shared/forms/spam/address.ts';
import { formToken } from '../../../shared/forms/tokens/open.ts';
import { nonceHash } from '../../../shared/forms/tokens/token.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { contentKinds } from '../../../shared/platform/intake/content-kind.ts';
import { keepUploadedFile } from '../../../shared/platform/intake/kept-files.ts';
import { type ArrivingFile, takeFile } from '../../../shared/platform/intake/take-file.ts';
import { discardFile } from '../../../shared/platform/storage/loose-files.ts';
import { storedPieces } from '../../http/files/inspection.ts';
import type { Form, Visit } from '../../pages/kit/page.ts';
import { INPUT } from './inputs/filling.ts';

/** Stands in the form for a file that was refused, with the code of the failure behind it: no ID begins so. */
export const REFUSED = 'refused:';

/** Whose files are taken: those of a version of a form, for one nonce. */
export type Uploading = {
  organization_id: string;
  form_id: string;
  version: number;
  nonce_hash: string;
  per_address: number;
};

/** Says who uploads, by what stands in the form before the file. What it throws refuses the file. */
type Admits<At extends Visit> = (visit: At, before: Form) => Promise<Uploading>;

/**
 * Takes a file of a page while it arrives, and answers its ID, which then stands among the answers; for one that is refused, why.
 * Null where no field of the form takes files by that name.
 */
export function takesUploads<At extends Visit>(admit: Admits<At>) {
  return async (
    visit: At,
    { name, file, before }: { name: string; file: ArrivingFile; before: Form },
  ): Promise<string | null> => {
    const [, field_id] = INPUT.exec(name) ?? [];
    if (field_id === undefined) return null;
    try {
      return await taken(visit, { field_id, file, uploading: await admit(visit, before) });
    } catch (error) {
      if (error instanceof Failure && error.code !== 'internal_error') return REFUSED + error.code;
      throw error;
    }
  };
}

/** Takes the files of a form that is filled in, by its form token, while it takes responses. */
export const takeUpload = takesUploads(({ steps, params }, before) =>
  steps.read(async (reader) => {
    const answered = await publishedForm(reader, params['formSlug']!);
    requireAccepting(answered, reader.now);
    const { form, settings } = answered;
    const { version, nonce } = await formToken(reader, form.id, before.get('form_token'));
    const { organization_id } = reader;
    const { per_address } = settings.spam;
    return { organization_id, form_id: form.id, version, nonce_hash: nonceHash(nonce), per_address };
  }),
);

async function taken(
  { steps }: Visit,
  { field_id, file, uploading }: { field_id: string; file: ArrivingFile; uploading: Uploading },
): Promise<string> {
  const { context, caller } = steps;
  const { now } = caller;
  const { organization_id, form_id, version, nonce_hash, per_address } = uploading;
  const rules = await steps.read((reader) =>
    rulesOfField({ ...reader, organization_id }, { form_id, version, field_id }),
  );
  const limit = Math.min(rules.limit, MOST_BYTES);
  const taking = { organization_id, limit, into: 'store', accepts: takenContents, now } as const;
  const stored = await takeFile(context, taking, file);
  const storage_key = stored.storage_key!;
  try {
    if (stored.content_type === contentKinds.text)
      await requireText(storedPieces(context.storage, storage_key));
    return await steps.write({ organization_id, may_change_nothing: true }, async (work) => {
      const ip_address = caller.ip_address ?? '';
      const address_hash = await countAddress(work, 'upload', { form_id, ip_address, per_address });
      const added = await addFile(work, { form_id, field_id, nonce_hash, address_hash }, rules, stored);
      await keepUploadedFile(work, { ...stored, storage_key });
      return added.id;
    });
  } catch (error) {
    await discardFile(context, organization_id, storage_key);
    throw error;
  }
}
