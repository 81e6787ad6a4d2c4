import { type FieldError, invalidAll } from '../../../shared/kernel/failure.ts';
import type { Text } from '../../../shared/kernel/language.ts';
import { type FieldValue, FieldValueInput } from '../../../shared/sign/documents/values.ts';
import { signingOf } from '../../../shared/sign/guests/shown.ts';
import { signDocument } from '../../../shared/sign/guests/sign.ts';
import { type JudgedValues, judgeValues } from '../../../shared/sign/guests/values.ts';
import { fieldErrorsOf } from '../../http/field-errors.ts';
import type { Form, LinkedVisit } from '../../pages/kit/page.ts';
import { type Group, groupsOf } from './groups.ts';
import { valuesIn } from './values.ts';
import { guestAt, writeAsGuest } from './visitor.ts';

/**
 * Signs by the form of the page. What is wrong with it is told all at once: values, those that are missing, and the consent. Errors:
 * those of `signDocument`.
 */
export async function signByForm(visit: LinkedVisit, form: Form): Promise<void> {
  const guest = guestAt(visit);
  const { fields = [] } = await visit.steps.read((reader) => signingOf(reader, guest));
  const groups = groupsOf({ fields }, guest.signer_id);
  const read = readIn(valuesIn(form, groups));
  const judged = await judgeValues(visit.steps.read, guest, read.values);
  const faults = [...read.faults, ...faultsOf(judged), ...missing(form, groups)];
  if (faults.length > 0) throw invalidAll(faults);
  const shown = {
    document_sha256: form.get('document_sha256'),
    values_sha256: form.get('values_sha256'),
    consent_version: form.get('consent_version'),
  };
  await writeAsGuest(visit, (work) => signDocument(work, guest, shown, judged));
}

type Read = { values: Record<string, FieldValue | null>; faults: FieldError[] };

/** The values as the API takes them, and what is wrong with those that it does not. */
function readIn(sent: Record<string, unknown>): Read {
  const values: Read['values'] = {};
  const faults: FieldError[] = [];
  for (const [id, value] of Object.entries(sent)) {
    const result = FieldValueInput.nullable().safeParse(value);
    if (result.success) values[id] = result.data;
    else {
      const [first] = fieldErrorsOf(result.error, 'body', value);
      faults.push({ ...first!, path: `/values/${id}${first!.path}` });
    }
  }
  return { values, faults };
}

function faultsOf({ faults }: JudgedValues): FieldError[] {
  return faults.map(({ name, code, message }) => ({ in: 'body', path: `/values/${name}`, code, message }));
}

const REQUIRED: Text = { en: 'Fill this in', ja: '入力してください' };

/** What has to be there and is not: required fields, and the consent. */
function missing(form: Form, groups: readonly Group[]): FieldError[] {
  const values = valuesIn(form, groups);
  const empty = groups.filter(
    ({ field: { id, required } }) => required && (values[id] === null || values[id] === false),
  );
  const paths = empty.map(({ name }) => `/values/${name}`);
  if (!form.has('consent')) paths.push('/consent_version');
  return paths.map((path) => ({ in: 'body', path, code: 'required', message: REQUIRED }));
}
