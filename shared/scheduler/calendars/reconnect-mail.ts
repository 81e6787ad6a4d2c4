import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import type { Locale } from '../../platform/mailer/letter.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { pointless } from '../pointless-mails.ts';

type Told = { status: string; account: string; name: string; email: string; organization: string };

/** Tells a member that a calendar has to be connected again. One that works by now is not told of. */
export const reconnectMail = purpose({
  name: 'scheduler.calendar_reconnect',
  title: { en: 'Calendar to be connected again', ja: 'カレンダーの再接続のお願い' },
  about: z.object({ connection_id: id('ccon') }),
  compose: async ({ connection_id }, { connection, organization_id, locale }) => {
    const [told] = await connection.query<Told>(
      `SELECT connection.status, connection.account, owner.name, owner.email, organization.name AS organization
         FROM scheduler_connections AS connection
         JOIN users AS owner ON owner.id = connection.user_id
         JOIN organizations AS organization ON organization.id = connection.organization_id
        WHERE connection.organization_id = $1 AND connection.id = $2`,
      [organization_id, connection_id],
    );
    if (told?.status !== 'reauth_required') return { pointless: pointless.calendar_works };
    return { to: [{ name: told.name, address: told.email }], locale, ...wording[locale](told) };
  },
});

const wording: Record<Locale, (told: Told) => { subject: string; paragraphs: string[] }> = {
  ja: ({ account, name, organization }) => ({
    subject: 'カレンダーの再連携が必要です',
    paragraphs: [
      `${name} さん`,
      `${organization}：カレンダー「${account}」にアクセスできなくなりました。`,
      '再び連携するか連携を解除するまで、予約ページに空き時間は表示されません。設定によっては、このカレンダーの予定を確認せずに予約を受け付けます。',
    ],
  }),
  en: ({ account, name, organization }) => ({
    subject: 'A calendar has to be connected again',
    paragraphs: [
      `Dear ${name},`,
      `${organization}: the calendar "${account}" cannot be read any more.`,
      'Until you connect it again, or disconnect it, you have no free time on booking pages; by its settings your organization may take bookings without looking at this calendar instead.',
    ],
  }),
};
