import { z } from 'zod';
import { type Failure, type FieldError, invalidAll } from '../../shared/kernel/failure.ts';
import { predicates } from '../../shared/kernel/field-error-words.ts';
import { joined, sameText, type Text } from '../../shared/kernel/language.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { RecordKind } from '../../shared/kernel/record-kind.ts';
import { booleanParameter, integerParameter, timestampInput } from '../../shared/kernel/schema.ts';
import type { Page, Sort, Window } from '../../shared/kernel/window.ts';
import type { Content } from '../../shared/platform/jobs/generated.ts';
import type { AnyParams, AnySchema, Declaration, Described, Input } from './declaration.ts';
import { type Generated, isContent } from './files/declarations.ts';
import { lookUpParameters } from './look-ups.ts';

export type ListDeclaration = {
  /** The schema of one item, for the documented replies. */
  item: z.ZodType;
  filters: z.ZodObject;
  sorts: readonly string[];
  limit: { default: number; most: number };
  /** Whether its records have `updated_at`, by which it can be bounded. */
  has_changes: boolean;
};

/** A list as it is mounted: its `handle` answers one of the three envelopes, or a file. */
export type ListEndpoint = { kind: 'list' } & Declaration<AnyParams, AnySchema, z.ZodType> & {
    list: ListDeclaration;
    generates?: Generated;
    handle: (input: Input<AnyParams, AnySchema, undefined>, reader: Reader) => Promise<object | Content>;
  };

type Listing<
  Params extends z.ZodObject | undefined,
  Filters extends z.ZodObject,
  Item extends z.ZodType,
> = Omit<Described<Params, undefined>, 'query' | 'body_limits'> & {
  item: Item;
  filters?: Filters;
  /** What its records are looked up by, beside its own filters: the handler has them among those. */
  looked_up?: RecordKind;
  /** Fields that `sort` takes besides `created_at` and `updated_at`. */
  sorts?: readonly string[];
  /** Default and maximum of `limit` in the offset form. */
  limit?: { default: number; most: number };
  /** For a list that is answered as a file when a filter asks so (`format=csv`): then `handle` answers its content. */
  generates?: Generated;
  handle: (
    input: Asked<Params, Filters> & { window: Window } & Pick<Given, 'base_url' | 'mail_limits' | 'language'>,
    reader: Reader,
  ) => Promise<Page<z.input<Item>> | Content>;
};

type Given = Input<undefined, undefined, undefined>;

type Asked<Params, Filters extends z.ZodObject> = {
  params: Params extends z.ZodObject ? z.output<Params> : undefined;
  filters: z.output<Filters>;
};

const PAGE = { default: 50, most: 100 };
const CURSOR = { default: 50, most: 200 };

/** A list in the three forms of the API: by offset, by page and by cursor; the parameters sent choose one. */
export function list<
  Item extends z.ZodType,
  Filters extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Params extends z.ZodObject | undefined = undefined,
>(declaration: Listing<Params, Filters, Item>): ListEndpoint {
  const { item, handle, looked_up, limit = { default: 50, most: 200 }, ...rest } = declaration;
  const own = declaration.filters?.shape ?? {};
  const filters = z.object({ ...own, ...(looked_up && lookUpParameters(looked_up)) });
  const has_changes = hasChanges(item);
  const sorts = [...new Set(['created_at', 'updated_at', ...(declaration.sorts ?? [])])];
  return {
    ...rest,
    kind: 'list',
    method: 'get',
    list: { item, filters, sorts, limit, has_changes },
    query: querySchema(filters, sorts, limit, has_changes),
    reply: replySchema(item),
    raises: ['invalid_cursor', ...(declaration.raises ?? [])],
    async handle({ params, query, base_url, mail_limits, language }, reader) {
      const given = query as ListQuery;
      const chosen = Object.fromEntries(Object.keys(filters.shape).map((name) => [name, given[name]]));
      const window = windowOf(given, sorts, limit);
      const asked = { params, filters: chosen } as Asked<Params, Filters>;
      const found = await handle({ ...asked, window, base_url, mail_limits, language }, reader);
      return isContent(found) ? found : envelope(window, found);
    },
  };
}

/** Whether records have `updated_at`; of several kinds, whether one has. */
function hasChanges(item: z.ZodType): boolean {
  if (item instanceof z.ZodUnion) return item.options.some((option) => hasChanges(option as z.ZodType));
  return item instanceof z.ZodObject && 'updated_at' in item.shape;
}

function querySchema(
  filters: z.ZodObject,
  sorts: readonly string[],
  limit: { default: number; most: number },
  has_changes: boolean,
) {
  const most = Math.max(limit.most, CURSOR.most);
  return z.strictObject({
    ...filters.shape,
    limit: integerParameter(1, most)
      .describe(
        `Rows to answer: ${limit.default} unless said, ${limit.most} at most (with starting_after: ${CURSOR.default}, ${CURSOR.most} at most).`,
      )
      .optional(),
    ...pagingFields,
    ...orderFields(sorts, has_changes),
    skip_total,
  });
}

/** The fields that all lists have in common are made once: they are half of what a list would have of its own. */
const pagingFields = {
  offset: integerParameter(0, 10_000_000).describe('Rows to skip.').optional(),
  page: integerParameter(1, 10_000_000).describe('Page-based form: the page, from 1.').optional(),
  per_page: integerParameter(1, PAGE.most)
    .describe(`Page-based form: rows of a page, ${PAGE.default} unless said.`)
    .optional(),
  starting_after: z
    .string()
    .max(100)
    .describe('Cursor-based form: the ID of the last record received.')
    .optional(),
  cursor_mode: booleanParameter()
    .describe('true asks for the first page in the cursor-based form.')
    .optional(),
};

const skip_total = booleanParameter().describe('true skips the count; totals are then -1.').optional();

/** The fields that put rows in an order and bound them by their time, for lists and for files made of them. */
export function orderFields(sorts: readonly string[], has_changes: boolean) {
  return {
    sort: z
      .string()
      .max(200)
      .describe(`field:direction, several separated by commas. Fields: ${sorts.join(', ')}.`)
      .meta({ examples: [`${sorts.at(-1)}:asc,created_at:desc`] })
      .optional(),
    ...orderAndTimes,
    ...((has_changes ? changeFields : {}) as typeof changeFields),
  };
}

const orderAndTimes = {
  order: z.enum(['asc', 'desc']).describe('Direction for a sort that names none.').optional(),
  created_after: timestampInput().describe('Only records created at this time or later.').optional(),
  created_before: timestampInput().describe('Only records created before this time.').optional(),
};

const changeFields = {
  updated_after: timestampInput().describe('Only records changed at this time or later.').optional(),
  updated_before: timestampInput().describe('Only records changed before this time.').optional(),
};

type ListQuery = z.output<ReturnType<typeof querySchema>> & Record<string, unknown>;

const count = z.int();

const pagination = z.strictObject({ page: count, per_page: count, total: count, total_pages: count });

/** The three envelopes; which one a reply has follows from the parameters. */
export function replySchema<Item extends z.ZodType>(item: Item) {
  const items = z.array(item);
  return z.union([
    z.strictObject({ items, total: count, limit: count, offset: count }),
    z.strictObject({ data: items, pagination }),
    z.strictObject({ data: items, has_more: z.boolean() }),
  ]);
}

const FORM_OF: Record<string, Window['form']> = {
  offset: 'offset',
  page: 'page',
  per_page: 'page',
  starting_after: 'cursor',
  cursor_mode: 'cursor',
};

function windowOf(
  query: ListQuery,
  sorts: readonly string[],
  limit: { default: number; most: number },
): Window {
  const form = formOf(query);
  const bounds = form === 'cursor' ? CURSOR : form === 'page' ? PAGE : limit;
  if (query.limit !== undefined && query.limit > bounds.most) {
    throw parameterFault('limit', 'too_large', predicates.tooLarge(bounds.most));
  }
  const size = (form === 'page' ? query.per_page : query.limit) ?? bounds.default;
  return {
    form,
    limit: size,
    offset: form === 'page' ? ((query.page ?? 1) - 1) * size : (query.offset ?? 0),
    starting_after: query.starting_after ?? null,
    sort: sortOf(query, sorts),
    created_after: query.created_after ?? null,
    created_before: query.created_before ?? null,
    updated_after: query.updated_after ?? null,
    updated_before: query.updated_before ?? null,
    count: form !== 'cursor' && !query.skip_total,
  };
}

function formOf(query: ListQuery): Window['form'] {
  const asked = Object.keys(FORM_OF).filter((name) => query[name] !== undefined && query[name] !== false);
  const forms = new Set(asked.map((name) => FORM_OF[name]!));
  if (forms.has('page') && query.limit !== undefined) {
    forms.add('offset');
    asked.push('limit');
  }
  if (forms.size > 1) {
    const [first, ...others] = asked;
    throw parameterFault(first!, 'mixed_paging', {
      en: `and ${others.join(', ')} belong to different forms of paging; use those of one`,
      ja: `と ${others.join('、')} は別のページ送りの方式です。どちらか一方を使ってください`,
    });
  }
  return [...forms][0] ?? 'offset';
}

function sortOf(query: ListQuery, sorts: readonly string[]): Sort[] {
  const read = readSort(query, sorts);
  if ('message' in read) throw parameterFault('sort', 'invalid_value', read.message);
  return read.sort;
}

/** Reads `sort` and `order` as every list takes them, or says what is wrong with `sort`. */
export function readSort(
  { sort, order }: { sort?: string; order?: 'asc' | 'desc' },
  sorts: readonly string[],
): { sort: Sort[] } | { message: Text } {
  if (sort === undefined) return { sort: order === 'asc' ? [{ field: 'created_at', direction: 'asc' }] : [] };
  const fields: Sort[] = [];
  for (const part of sort.split(',')) {
    const [field = '', direction = order ?? 'asc', ...more] = part.trim().split(':');
    const isKnown = sorts.includes(field) && (direction === 'asc' || direction === 'desc') && !more.length;
    if (!isKnown)
      return {
        message: {
          en: `must be field:asc or field:desc, with fields of ${sorts.join(', ')}`,
          ja: `は field:asc または field:desc の形で指定してください。指定できる項目：${sorts.join('、')}`,
        },
      };
    fields.push({ field, direction });
  }
  if (new Set(fields.map(({ field }) => field)).size < fields.length) {
    return { message: { en: 'must name each field once', ja: 'には同じ項目を重複して指定できません' } };
  }
  return { sort: fields };
}

function envelope<Row>(window: Window, { rows, total, has_more }: Page<Row>) {
  if (window.form === 'cursor') return { data: rows, has_more };
  if (window.form === 'offset') return { items: rows, total, limit: window.limit, offset: window.offset };
  const page = window.offset / window.limit + 1;
  const total_pages = total < 0 ? -1 : Math.ceil(total / window.limit);
  return { data: rows, pagination: { page, per_page: window.limit, total, total_pages } };
}

function parameterFault(path: string, code: string, predicate: Text): Failure {
  const fault: FieldError = { in: 'query', path, code, message: joined([sameText(path), predicate], ' ') };
  return invalidAll([fault]);
}
