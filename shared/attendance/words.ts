import { words } from '../kernel/vocabulary.ts';

/** The words of attendance. Words are never renamed: callers store them. */
export const attendanceWords = words({
  prefixes: {
    attendance_member: 'mem',
    department: 'dept',
    position: 'posn',
    terms: 'term',
    schedule: 'wsch',
    roster_day: 'rost',
    holiday: 'hol',
    punch: 'punch',
    record: 'arec',
    attendance_import: 'aimp',
    correction: 'corr',
    overtime_request: 'otreq',
    leave_request: 'lreq',
    leave_grant: 'lgrant',
    submission: 'msub',
  },
  failures: {
    role_required: {
      status: 403,
      title: { en: 'Your role does not allow it', ja: 'この操作に必要な役割がありません' },
      help: {
        en: 'Managers act for the members of their departments, owners and admins for everybody; "detail" says who may do this.',
        ja: 'マネージャーは自分の部署のメンバーについて、オーナーと管理者は全員について操作できます。必要な役割は「detail」に示されています。',
      },
    },
    no_account: {
      status: 409,
      title: { en: 'The member has no account', ja: 'このメンバーにはアカウントがありません' },
      help: {
        en: 'Invite the address of the member first: who accepts gets the role of the invitation.',
        ja: '先にメンバーのメールアドレスを招待してください。承諾した人に招待時の役割が付きます。',
      },
    },
    email_of_account: {
      status: 409,
      title: {
        en: 'The address is that of the account or the invitation',
        ja: 'メールアドレスはアカウントまたは招待のものです',
      },
      help: {
        en: 'It changes for members without an account alone. Revoke the invitation and send a new one.',
        ja: '変更できるのはアカウントのないメンバーだけです。招待中の場合は、取り消して新しく招待してください。',
      },
    },
    national_holiday: {
      status: 409,
      title: { en: 'National holidays stay', ja: '国民の祝日は削除できません' },
      help: {
        en: 'Add a holiday of the company on the same date that counts as a workday: it overrules the national one.',
        ja: '同じ日付に、counts_as を workday とした会社の休日を登録してください。国民の祝日より優先されます。',
      },
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    attendance: typeof attendanceWords;
  }
}
