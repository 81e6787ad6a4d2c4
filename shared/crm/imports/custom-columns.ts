import { dayText, decimalText, several, yesOrNo } from '../../platform/imports/reading/cell.ts';
import type { NormalForm } from '../../platform/imports/reading/field.ts';
import { optionForm } from '../../platform/imports/reading/normal-forms.ts';
import type { CustomFieldRule } from '../custom-fields/values.ts';
import { changeCustomFields } from '../custom-fields/values.ts';
import { field, type RecordField } from './field.ts';

const PREFIX = 'custom_fields.';

/** The key of the custom field that a column writes, or null. */
export function customKey(name: string): string | null {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;
}

/** The columns of the custom fields that an organization gave a kind of record; known by their keys and labels. */
export function customColumns(rules: readonly (CustomFieldRule & { label: string })[]): RecordField[] {
  return rules.map((rule) => ({
    ...field(`${PREFIX}${rule.key}`, { ja: rule.label, en: rule.label }, (cell) => {
      const sent = { [rule.key]: sentValue(rule, cell) };
      const result = changeCustomFields({}, sent, [rule]);
      if ('values' in result) return { value: result.values[rule.key] };
      const { code, message } = result.faults[0]!;
      return { fault: code, detail: message };
    }),
    aliases: [rule.key],
    ...(rule.options.length > 0 && { normalize: optionsForm(rule) }),
  }));
}

/** What a request would send for the cell. What is not of the type stays text, which the definition refuses. */
function sentValue(rule: CustomFieldRule, cell: string): unknown {
  switch (rule.type) {
    case 'number':
      return decimalText(cell) ?? cell;
    case 'date':
      return dayText(cell) ?? cell;
    case 'boolean':
      return yesOrNo(cell) ?? cell;
    case 'multi_select':
      return several(cell);
    case 'select':
    case 'url':
      return cell.trim();
    case 'text':
      return cell;
  }
}

/** Cells of a field that has options, in the letters of those. */
function optionsForm({ type, options }: CustomFieldRule): NormalForm {
  const form = optionForm(options);
  if (type === 'select') return form;
  // What stands between several values stays, whatever its width.
  return (cell) =>
    cell.replaceAll(/(?:\\[;；\\]|[^;；])+/g, (value) => (value.includes('\\') ? value : form(value)));
}
