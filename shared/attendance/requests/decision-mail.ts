import { z } from 'zod';
import type { Prefix } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import { id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { type Composing, type Purpose, purpose } from '../../platform/mailer/purpose.ts';
import { queueMail } from '../../platform/mailer/queue-mail.ts';
import { pointless } from '../pointless-mails.ts';
import type { RequestRow } from './record.ts';
import type { RequestKind } from './transitions.ts';

/** A kind of request, as the mail about a decision tells of it. */
export type DecisionTold<Asked> = {
  /** Stands in `mails.purpose`: never renamed. */
  name: string;
  kind: RequestKind;
  prefix: Prefix;
  table: string;
  /** The columns that its words are made of. */
  columns: readonly (keyof Asked & string)[];
  /** `leave` after `Your request for`; in Japanese the request itself. */
  title: Text;
  /** What was asked for, and for when. */
  words(asked: Asked, composing: Composing): Promise<DecisionWords>;
};

export type DecisionWords = { asked: Text; days: Text };

/** The kind of mail about decisions on a kind of request, and what asks for one. */
export type DecisionMail = {
  purpose: Purpose;
  /** Asks for the mail about a decision, in the language of the member. */
  queue(work: Work, row: RequestRow): Promise<void>;
};

type Decided = {
  status: string;
  decision_comment: string | null;
  member_name: string;
  address: string | null;
  approver_name: string | null;
  organization: string;
};

/** Tells a member how their request was decided. One that was cancelled since is not told of any more. */
export function decisionMail<Asked>(told: DecisionTold<Asked>): DecisionMail {
  const member = `${told.kind}_id`;
  const find = findText(told);
  const declared = purpose({
    name: told.name,
    title: { en: `Decision on ${told.title.en}`, ja: `${told.title.ja}の承認結果` },
    about: z.object({ [member]: id(told.prefix) }),
    compose: async (about, composing) => {
      const { connection, organization_id, locale } = composing;
      const [decided] = await connection.query<Decided & Asked>(find, [organization_id, about[member]]);
      if (decided?.status !== 'approved' && decided?.status !== 'rejected') {
        return { pointless: pointless.cancelled };
      }
      if (decided.address === null) return { pointless: pointless.no_address };
      const words = await told.words(decided, composing);
      return {
        to: [{ name: decided.member_name, address: decided.address }],
        locale,
        ...wording[locale](decided, told.title, words),
      };
    },
  });
  return {
    purpose: declared,
    queue: async (work, { id: request_id, member_id }) => {
      const speaks = await accountOf(work, member_id);
      if (speaks === undefined) return;
      await queueMail(work, work.organization_id, {
        purpose: declared,
        about: { [member]: request_id },
        speaks,
      });
    },
  };
}

/** Who has an account is written to at its address, others at that of the member. */
function findText({ table, columns }: { table: string; columns: readonly string[] }): string {
  return `
    SELECT ${columns.map((column) => `request.${column}`).join(', ')},
           request.status, request.decision_comment, member.name AS member_name,
           COALESCE(account.email, member.email) AS address, approver.name AS approver_name,
           organization.name AS organization
      FROM ${table} AS request
      JOIN attendance_members AS member
        ON member.organization_id = request.organization_id AND member.id = request.member_id
      JOIN organizations AS organization ON organization.id = request.organization_id
      LEFT JOIN users AS account ON account.id = member.user_id
      LEFT JOIN users AS approver ON approver.id = request.approver_id
     WHERE request.organization_id = $1 AND request.id = $2`;
}

/** The account of a member, null for one without; undefined where there is no address to write to. */
async function accountOf(
  { connection, organization_id }: Work,
  member_id: string,
): Promise<string | null | undefined> {
  const [member] = await connection.query<{ user_id: string | null; email: string | null }>(
    'SELECT user_id, email FROM attendance_members WHERE organization_id = $1 AND id = $2',
    [organization_id, member_id],
  );
  return member && (member.user_id ?? member.email) !== null ? member.user_id : undefined;
}

type Wording = (
  decided: Decided,
  title: Text,
  words: DecisionWords,
) => { subject: string; paragraphs: string[] };

const wording: Record<Locale, Wording> = {
  ja: (decided, title, { asked, days }) => {
    const outcome = decided.status === 'approved' ? '承認されました' : '却下されました';
    return {
      subject: `${title.ja}が${outcome}`,
      paragraphs: [
        `${decided.member_name} さん`,
        `${decided.organization}：${asked.ja}の申請が${outcome}。`,
        `対象日：${days.ja}`,
        ...(decided.approver_name === null ? [] : [`承認者：${decided.approver_name}`]),
        ...(decided.decision_comment ? [`コメント：${decided.decision_comment}`] : []),
      ],
    };
  },
  en: (decided, title, { asked, days }) => ({
    subject: `Your request for ${title.en} was ${decided.status}`,
    paragraphs: [
      `Dear ${decided.member_name},`,
      `${decided.organization}: your request for ${asked.en} was ${decided.status}.`,
      `Days: ${days.en}`,
      ...(decided.approver_name === null ? [] : [`Decided by: ${decided.approver_name}`]),
      ...(decided.decision_comment ? [`Comment: ${decided.decision_comment}`] : []),
    ],
  }),
};
