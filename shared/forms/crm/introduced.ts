import { ContactPatch } from '../../crm/contacts/record.ts';
import type { Introduced } from '../../crm/contacts/take-in.ts';
import type { Language } from '../../kernel/language.ts';
import type { Submitted } from '../responses/submitted.ts';
import { answerText, chosen } from '../told/answer.ts';
import { type ToldField, toldFields } from '../told/fields.ts';
import { splitName } from './names.ts';

/** What the answers say of the one who gave them; a code where the CRM could not take it. */
export type Read = { introduced: Introduced; company_name: string | null } | { error: string };

const CUSTOM = 'custom_fields.';

/**
 * What a contact is made from, out of the answers, by the map of the settings; null without an answer for the e-mail address.
 * Options are told by their labels, in the language of the response.
 */
export function introducedBy(map: Readonly<Record<string, string>>, submitted: Submitted): Read | null {
  const answers = answersBy(map, submitted);
  const { email, full_name, company_name, ...fields } = answers.fields;
  if (typeof email !== 'string') return null;
  const said = { ...namesOf(full_name), ...fields, email };
  const custom = Object.keys(answers.custom_fields).length > 0;
  const parsed = ContactPatch.safeParse(custom ? { ...said, custom_fields: answers.custom_fields } : said);
  if (!parsed.success) return { error: 'validation_failed' };
  const { email: address, ...rest } = parsed.data;
  return {
    introduced: { ...rest, email: address! },
    company_name: typeof company_name === 'string' ? company_name : null,
  };
}

type Mapped = { fields: Record<string, unknown>; custom_fields: Record<string, unknown> };

function answersBy(map: Readonly<Record<string, string>>, { version, response }: Submitted): Mapped {
  const known = toldFields(version.schema_json);
  const mapped: Mapped = { fields: {}, custom_fields: {} };
  for (const [to, from] of Object.entries(map)) {
    const [id = '', part] = from.split('.');
    const field = known.get(id);
    const answer = partOf(response.data[id], part);
    // A version may lack a field that the settings name for others.
    if (field === undefined || answer === undefined) continue;
    const told: ToldField = part === undefined ? field : { ...field, type: 'short_text' };
    if (to.startsWith(CUSTOM)) {
      mapped.custom_fields[to.slice(CUSTOM.length)] = customValue(told, answer, response.locale);
    } else {
      const isWholeName = to === 'full_name' && told.type === 'name';
      mapped.fields[to] = isWholeName ? answer : answerText(told, answer, response.locale);
    }
  }
  return mapped;
}

function partOf(answer: unknown, part: string | undefined): unknown {
  if (part === undefined || answer === undefined) return answer;
  return (answer as Record<string, unknown>)[part];
}

/** A name field whole brings its kana too; a text is split. */
function namesOf(full_name: unknown): Record<string, unknown> {
  if (typeof full_name === 'string') return splitName(full_name);
  return typeof full_name === 'object' && full_name !== null ? { ...full_name } : {};
}

/** Custom fields have types: several options stay several, yes and no stay no words. */
function customValue(field: ToldField, answer: unknown, language: Language): unknown {
  if (typeof answer === 'boolean' || typeof answer === 'number') return answer;
  if (field.type === 'multi_choice' && Array.isArray(answer)) {
    return answer.map((one) => chosen(field.options ?? [], one, language));
  }
  return answerText(field, answer, language);
}
