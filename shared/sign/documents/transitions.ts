import type { FailureCode } from '../../kernel/failures.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type { Asking, Condition, Row, TransitionTable } from '../../platform/transitions/table.ts';
import { groupInTurn, isActing, isAsked } from '../life/turn.ts';
import type { DocumentRow, SignerRow } from './rows.ts';
import { type DocumentAction, documentActions, documentStatuses } from './words.ts';

const kinds = {
  document: { title: { en: 'document', ja: '書類' }, statuses: documentStatuses },
} as const;

type Kinds = typeof kinds;

/** What decides what staff can do to a document. */
export type Standing = {
  kind: 'document';
  status: string;
  /** Whether somebody has to sign or approve yet. */
  is_unsigned: boolean;
  /** Whether somebody is asked, and has neither signed nor declined. */
  is_asked: boolean;
  sealing_failed: boolean;
  /** Whether it has to be kept, and until when. */
  is_retained: boolean;
  retention_until: string | null;
};

const needs = {
  unsigned: {
    text: { en: 'while somebody has not signed', ja: 'まだ署名していない方がいる' },
    code: 'invalid_transition',
    holds: ({ is_unsigned }: Standing) => is_unsigned,
  },
  asked: {
    text: { en: 'with a signer in turn', ja: '署名の順番が来ている方がいる' },
    code: 'invalid_transition',
    holds: ({ is_asked }: Standing) => is_asked,
  },
  sealing_failed: {
    text: { en: 'whose sealing failed', ja: '署名済みPDFの作成に失敗した' },
    code: 'invalid_transition',
    holds: ({ sealing_failed }: Standing) => sealing_failed,
  },
  not_retained: {
    text: { en: 'that need not be kept any more', ja: '保管期限を過ぎた' },
    code: 'document_retained',
    holds: ({ is_retained }: Standing) => !is_retained,
    reason: ({ retention_until }: Standing) => ({
      sentence: {
        en: `The document has to be kept until ${retention_until}`,
        ja: `書類は${retention_until}まで保管が必要です`,
      },
      members: { retention_until },
    }),
  },
} as const satisfies Record<string, Condition<Standing, Asking>>;

type Need = keyof typeof needs;

const rows: readonly Row<Kinds, 'document', DocumentAction, Need, never>[] = [
  [
    'send',
    ['draft'],
    'sent',
    {
      en: 'file and fields are frozen; the first group is asked by mail',
      ja: 'ファイルと記入欄を固定し、最初のグループにメールで依頼します',
    },
  ],
  ['cancel', ['draft'], 'cancelled', { en: 'ends it', ja: '終了します' }],
  [
    'cancel',
    ['sent'],
    'cancelled',
    { en: 'those who had a mail are told', ja: 'メールを受け取った人に知らせます' },
    { needs: ['unsigned'] },
  ],
  [
    'remind',
    ['sent'],
    'same',
    {
      en: 'signers in turn get another mail, once an hour',
      ja: '順番の来ている署名者にもう一度メールを送ります。1時間に1回までです',
    },
    { needs: ['asked'] },
  ],
  [
    'seal',
    ['sent'],
    'same',
    { en: 'the sealing is tried again', ja: '封印をもう一度試みます' },
    { needs: ['sealing_failed'] },
  ],
  [
    'replace',
    ['sent'],
    'same',
    {
      en: 'somebody else signs: a new link, the old one is dead; values are cleared',
      ja: '署名者を替えます。新しいリンクになり、元のリンクと入力内容は無効になります',
    },
    { needs: ['unsigned'] },
  ],
  [
    'unlock',
    ['sent'],
    'same',
    { en: 'a signer may try codes again', ja: '署名者がコードを再び入力できるようになります' },
    { needs: ['asked'] },
  ],
  ['update', ['draft'], 'same', { en: 'everything', ja: 'すべてを変更できます' }],
  [
    'update',
    ['sent'],
    'same',
    {
      en: 'expiry, reminders, and what is not shown to signers; `frozen` otherwise',
      ja: '期限、催促、署名者に見えない項目を変更できます。ほかは `frozen` になります',
    },
  ],
  [
    'update',
    ['signed', 'cancelled'],
    'same',
    {
      en: 'what is not shown to signers; `frozen` otherwise',
      ja: '署名者に見えない項目を変更できます。ほかは `frozen` になります',
    },
  ],
  [
    'delete',
    ['draft', 'cancelled'],
    'gone',
    { en: 'erased; of what was sent the trail stays', ja: '消去します。送信したものは経過の記録が残ります' },
  ],
  [
    'delete',
    ['signed'],
    'gone',
    { en: 'erased but for the trail', ja: '経過の記録を残して消去します' },
    { needs: ['not_retained'] },
  ],
];

const WRITE = ['sign:write'] as const;

/** What staff can do to documents; guests and workers have ways of their own. */
export const documentTransitions: TransitionTable<
  Kinds,
  DocumentAction,
  Need,
  never,
  Standing,
  Asking,
  never
> = {
  kinds,
  actions: documentActions,
  needs,
  call_needs: {},
  rows: rows.map(([action, from, to, effect, more]) => {
    return { kind: 'document', action, from, to, scopes: WRITE, effect, ...more };
  }),
};

const rules = rulesOf(documentTransitions);

/** What of a document its standing follows from. */
export type Stood = {
  document: Pick<DocumentRow, 'status' | 'sealing_status' | 'retention_until'>;
  signers: readonly Pick<SignerRow, 'status' | 'role' | 'order_group'>[];
};

/** What somebody can do to a document now; `today` is the day in its zone, `may_send` what the settings say. */
export function actionsFor(
  stored: Stood,
  { grants, today, may_send }: Asking & { today: string; may_send: boolean },
): DocumentAction[] {
  const actions = rules.available(standingOf(stored, today), { grants });
  return may_send ? actions : actions.filter((action) => action !== 'send');
}

/**
 * Sees that staff may do that to a locked document. Errors: `invalid_transition`, `document_retained`, `insufficient_scope`.
 */
export function requireAction(
  stored: Stood,
  action: DocumentAction,
  { grants, today }: Asking & { today: string },
): void {
  rules.require(standingOf(stored, today), action, { grants });
}

/** The codes with which the table refuses an action. */
export function refusalsOf(action: DocumentAction): FailureCode[] {
  return rules.codes('document', action);
}

function standingOf({ document, signers }: Stood, today: string): Standing {
  const { status, sealing_status, retention_until } = document;
  return {
    kind: 'document',
    status,
    is_unsigned: groupInTurn(signers) !== null,
    is_asked: signers.some((signer) => isActing(signer) && isAsked(signer)),
    sealing_failed: sealing_status === 'failed',
    is_retained: retention_until !== null && retention_until >= today,
    retention_until,
  };
}
