/**
 * Which pages and fields answers lead to. This is the one module that decides it: the server runs it, and pages load the
 * same text with its types taken out. So it imports nothing, and uses only what a browser has as well.
 */

/** A condition, with the value in the form that answers of that field are stored in. */
export type Asked = { all: readonly Asked[] } | { any: readonly Asked[] } | { not: Asked } | AskedLeaf;

export type AskedLeaf = {
  field: string;
  /** The row, where a row of a matrix is asked about. */
  row?: string;
  op: string;
  value?: string | number | boolean | readonly string[];
  /** Decimals are compared by value; all other answers by their text, or as the numbers that they are. */
  is_decimal?: true;
};

/** What is replayed: a schema's pages and what decides about them. */
export type Plan = {
  pages: readonly PlannedPage[];
  endings: readonly { id: string; if?: Asked }[];
};

export type PlannedPage = {
  id: string;
  show_if?: Asked;
  fields: readonly PlannedField[];
  next: readonly { if?: Asked; to: string }[];
};

export type PlannedField = { id: string; show_if?: Asked; required?: boolean; required_if?: Asked };

/** Answers by their fields and hidden names, as they are stored. One that has a fault is left out. */
export type Given = Readonly<Record<string, unknown>>;

export type Replayed = {
  /** The pages that are shown, in their order. */
  path: string[];
  visible_fields: string[];
  /** The fields among them that need an answer, given or not. */
  required_fields: string[];
  ending_id: string | null;
  /** The answers that count: those of visible fields, and hidden values. */
  seen: Record<string, unknown>;
};

/**
 * Goes through the pages from the first one. Conditions look back, so a field counts as answered once it was shown and has
 * an answer; those of fields not shown count as unanswered.
 */
export function replay(plan: Plan, given: Given, hidden: Readonly<Record<string, string>>): Replayed {
  const seen: Record<string, unknown> = { ...hidden };
  const path: string[] = [];
  const visible_fields: string[] = [];
  const required_fields: string[] = [];
  let ending_id: string | null | undefined;
  for (let at = 0; at < plan.pages.length; ) {
    const page = plan.pages[at]!;
    at += 1;
    if (page.show_if && !holds(page.show_if, seen)) continue;
    path.push(page.id);
    for (const field of page.fields) {
      if (field.show_if && !holds(field.show_if, seen)) continue;
      visible_fields.push(field.id);
      const isNeeded = field.required || (field.required_if !== undefined && holds(field.required_if, seen));
      if (isNeeded) required_fields.push(field.id);
      if (Object.hasOwn(given, field.id)) seen[field.id] = given[field.id];
    }
    const rule = page.next.find((each) => each.if === undefined || holds(each.if, seen));
    if (rule?.to.startsWith('end:')) {
      ending_id = rule.to.slice('end:'.length);
      break;
    }
    if (rule) at = plan.pages.findIndex(({ id }) => id === rule.to);
  }
  if (ending_id === undefined) {
    const ending = plan.endings.find((each) => each.if === undefined || holds(each.if, seen));
    ending_id = ending ? ending.id : null;
  }
  return { path, visible_fields, required_fields, ending_id, seen };
}

/** Whether a condition holds for the answers that count. */
export function holds(condition: Asked, seen: Given): boolean {
  if ('all' in condition) return condition.all.every((each) => holds(each, seen));
  if ('any' in condition) return condition.any.some((each) => holds(each, seen));
  if ('not' in condition) return !holds(condition.not, seen);
  return leafHolds(condition, answerOf(condition, seen), seen);
}

function answerOf({ field, row }: AskedLeaf, seen: Given): unknown {
  const answer = Object.hasOwn(seen, field) ? seen[field] : undefined;
  if (row === undefined || answer === undefined) return answer;
  return Object.hasOwn(answer as object, row) ? (answer as Given)[row] : undefined;
}

/** Of an unanswered field `not_answered`, `not_equals` and `none_of` are true, all others false. */
function leafHolds({ op, value, is_decimal }: AskedLeaf, answer: unknown, seen: Given): boolean {
  if (answer === undefined) return op === 'not_answered' || op === 'not_equals' || op === 'none_of';
  switch (op) {
    case 'answered':
      return true;
    case 'not_answered':
      return false;
    case 'equals':
      return answer === value;
    case 'not_equals':
      return answer !== value;
    case 'contains':
      if (Array.isArray(answer)) return answer.includes(value);
      return folded(answer as string, seen).includes(folded(value as string, seen));
    case 'any_of':
      return isAmong(answer, value as readonly string[]);
    case 'none_of':
      return !isAmong(answer, value as readonly string[]);
    default:
      return ordered(
        op,
        is_decimal ? compareDecimals(answer as string, value as string) : compare(answer, value),
      );
  }
}

/** Whether an option, or one of several, is among those. A text of one's own is none of them. */
function isAmong(answer: unknown, options: readonly string[]): boolean {
  const chosen: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return chosen.some((each) => options.includes(each as string));
}

function ordered(op: string, order: number): boolean {
  if (op === 'gt') return order > 0;
  if (op === 'gte') return order >= 0;
  return op === 'lt' ? order < 0 : order <= 0;
}

/** The order of two marks, or of two days or times, whose texts sort as they do. */
function compare(answer: unknown, value: unknown): number {
  const [one, other] = [answer as string, value as string];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The order of two decimals in shortest form, exact. */
export function compareDecimals(one: string, other: string): number {
  const [a, b] = [scaled(one), scaled(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A decimal of at most six places in millionths. */
function scaled(decimal: string): bigint {
  const [whole, part = ''] = decimal.split('.');
  return BigInt(whole + part.padEnd(6, '0'));
}

/** The texts of answers as they are searched in: five hundred conditions may ask about one long text. */
const folds = new WeakMap<Given, Map<string, string>>();

/** A text as texts are searched in, worked out once for these answers. */
function folded(text: string, seen: Given): string {
  const known = folds.get(seen) ?? new Map<string, string>();
  folds.set(seen, known);
  const found = known.get(text) ?? text.normalize('NFKC').toLowerCase();
  known.set(text, found);
  return found;
}

/** A text as it is stored: NFC, trimmed; line ends are `\n`, in one line of text a space. */
export function plainText(text: string, is_one_line: boolean): string {
  const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;
  return (is_one_line ? lines.replaceAll('\n', ' ') : lines).normalize('NFC').trim();
}

/** Characters of a number as it is written, leading zeros and spaces included. */
const LONGEST_NUMBER = 100;

/**
 * A decimal in its shortest form, from text with digits of any width; null where it is none, or has more than 15 digits before
 * the point or 6 after it.
 */
export function plainDecimal(text: string): string | null {
  if (text.length > LONGEST_NUMBER) return null;
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.normalize('NFKC').trim());
  if (!parts) return null;
  const whole = parts[2]!.replace(/^0+(?=\d)/, '');
  const part = (parts[3] ?? '').replace(/0+$/, '');
  if (whole.length > 15 || part.length > 6) return null;
  const shortest = part === '' ? whole : `${whole}.${part}`;
  return shortest === '0' ? '0' : `${parts[1]}${shortest}`;
}
