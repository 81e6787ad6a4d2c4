/** What of a field settings ask for. */
export type NamedField = { id: string; type: string };

type Schema = { pages?: readonly { fields?: readonly NamedField[] }[] };

/** The fields of schemas by their IDs, those of earlier texts before those of later ones: settings may name any of them. */
export function fieldsOf(texts: readonly string[]): Map<string, NamedField> {
  const fields = texts
    .flatMap((text) => (JSON.parse(text) as Schema).pages ?? [])
    .flatMap((page) => page.fields ?? []);
  return new Map(fields.toReversed().map((field) => [field.id, field]));
}

/** The parts of answers that are more than one value, by the type of the field. */
export const partsOf: Readonly<Record<string, readonly string[]>> = {
  name: ['last_name', 'first_name', 'last_name_kana', 'first_name_kana'],
  address: ['postal_code', 'prefecture', 'city', 'address_line', 'building'],
};
