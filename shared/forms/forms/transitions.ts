import type { FailureCode } from '../../kernel/failures.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type {
  Asking,
  CallCondition,
  Condition,
  Row,
  TransitionTable,
} from '../../platform/transitions/table.ts';
import { hasResponses } from './refusals.ts';
import { type FormAction, formActions, formStatuses } from './words.ts';

const kinds = {
  form: { title: { en: 'form', ja: 'フォーム' }, statuses: formStatuses },
} as const;

type Kinds = typeof kinds;

/** What decides what staff can do to a form. */
export type Standing = {
  kind: 'form';
  status: string;
  /** Its responses, spam included. */
  responses: number;
};

/** What the call that removes a form says. */
export type Call = { with_responses: boolean };

const needs = {
  unanswered: {
    text: { en: 'without responses, spam included', ja: '回答（スパムを含む）のない' },
    code: 'has_responses',
    holds: ({ responses }: Standing) => responses === 0,
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

const call_needs = {
  told_responses_go: {
    text: {
      en: 'with responses by `with_responses=true` alone',
      ja: '回答がある場合は `with_responses=true` が必要',
    },
    code: 'has_responses',
    refuse: ({ responses }: Standing, { with_responses }: Call) =>
      responses === 0 || with_responses ? null : hasResponses(responses),
  },
} as const satisfies Record<string, CallCondition<Standing, Call>>;

type Need = keyof typeof needs;
type CallNeed = keyof typeof call_needs;

const rows: readonly Row<Kinds, 'form', FormAction, Need, CallNeed>[] = [
  [
    'update',
    ['draft', 'published'],
    'same',
    {
      en: 'the working copy; the public sees the published version',
      ja: '作業中の内容を変更します。公開中の版は変わりません',
    },
  ],
  [
    'update',
    ['archived'],
    'same',
    {
      en: '`external_id` and `metadata`; `frozen` otherwise',
      ja: '`external_id` と `metadata` を変更します。ほかは `frozen` になります',
    },
  ],
  [
    'publish',
    ['draft', 'published', 'archived'],
    'published',
    {
      en: 'a new version where title or schema differ from the last one',
      ja: 'タイトルまたは定義が前の版と異なれば、新しい版を作成します',
    },
  ],
  [
    'unpublish',
    ['published', 'archived'],
    'draft',
    { en: 'the public does not find it any more', ja: '公開ページに表示しなくなります' },
    { needs: ['unanswered'] },
  ],
  [
    'archive',
    ['draft', 'published'],
    'archived',
    {
      en: 'closed to the public; what was saved and invitations end',
      ja: '回答の受付を終了します。途中保存と招待も終わります',
    },
  ],
  [
    'duplicate',
    ['draft', 'published', 'archived'],
    'same',
    {
      en: 'a draft with the working copy and the settings',
      ja: '作業中の内容と設定を引き継いだ下書きを作成します',
    },
  ],
  [
    'delete',
    ['draft'],
    'gone',
    { en: 'removed with its versions', ja: 'すべての版とともに削除します' },
    { needs: ['unanswered'] },
  ],
  [
    'delete',
    ['archived'],
    'gone',
    {
      en: 'removed with its versions, responses and files',
      ja: 'すべての版、回答、ファイルとともに削除します',
    },
    { call_needs: ['told_responses_go'] },
  ],
];

const WRITE = ['forms:write'] as const;

/** The life of forms: from it follow what can be done, the refusals and the codes of the reference. */
export const formTransitions: TransitionTable<Kinds, FormAction, Need, CallNeed, Standing, Asking, Call> = {
  kinds,
  actions: formActions,
  needs,
  call_needs,
  rows: rows.map(([action, from, to, effect, more]) => {
    return { kind: 'form', action, from, to, scopes: WRITE, effect, ...more };
  }),
};

const rules = rulesOf(formTransitions);

/** What of a form its standing follows from. */
type Stood = { form: { status: string }; counts: { response_count: number; spam_count: number } };

/** What somebody can do to a form now. */
export function actionsFor(stored: Stood, asking: Asking): FormAction[] {
  return rules.available(standingOf(stored), asking);
}

/**
 * Sees that staff may do that to a locked form; `call` is what a removal says. Errors: `invalid_transition`, `has_responses`,
 * `insufficient_scope`.
 */
export function requireAction(stored: Stood, action: FormAction, asking: Asking, call?: Call): void {
  rules.require(standingOf(stored), action, asking, call);
}

/** The codes with which the table refuses an action. */
export function refusalsOf(action: FormAction): FailureCode[] {
  return rules.codes('form', action);
}

function standingOf({ form: { status }, counts }: Stood): Standing {
  return { kind: 'form', status, responses: counts.response_count + counts.spam_count };
}
