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
    not_employed: {
      status: 409,
      title: { en: 'The member is not employed on that day', ja: 'その日は在籍期間外です' },
      help: {
        en: 'Choose a day from hired_on to left_on of the member, or correct these.',
        ja: 'メンバーの hired_on から left_on までの日を指定するか、これらの日付を修正してください。',
      },
    },
    self_approval: {
      status: 409,
      title: { en: 'Nobody decides their own request', ja: '自分の申請は自分で承認・却下できません' },
      help: {
        en: 'Ask another manager, admin or owner. Only owners and "allow_self_approval" of the settings make an exception.',
        ja: 'ほかの manager、admin、owner に依頼してください。例外は、唯一のオーナーの場合と、設定の allow_self_approval が有効な場合です。',
      },
    },
    overlapping_request: {
      status: 409,
      title: { en: 'Another leave request has a part of this time', ja: '時間の重なる休暇申請があります' },
      help: {
        en: '"existing_id" names it. Cancel it, or choose another time.',
        ja: '重なる申請は「existing_id」に示されています。取り消すか、別の時間を指定してください。',
      },
    },
    insufficient_balance: {
      status: 409,
      title: { en: 'There is not enough leave left', ja: '休暇の残日数が足りません' },
      help: {
        en: 'Ask for fewer days, or see GET /attendance/leave-balances for what is left on which days. Nothing was taken.',
        ja: '日数を減らすか、GET /attendance/leave-balances で残日数と有効期限を確認してください。休暇は消化されていません。',
      },
    },
    hourly_leave_cap_exceeded: {
      status: 409,
      title: {
        en: 'Annual leave by the hour is five days a year',
        ja: '時間単位の年次有給休暇は年5日分までです',
      },
      help: {
        en: '"hourly_cap_left_hours" tells how many hours are left. Take half or whole days beyond them.',
        ja: '残りの時間は「hourly_cap_left_hours」に示されています。それを超える分は半日または1日単位で取得してください。',
      },
    },
    no_working_day: {
      status: 422,
      title: { en: 'None of the days is a workday', ja: '勤務日が含まれていません' },
      help: {
        en: 'Leave is taken on workdays. The roster, holidays, settings and employment of the member say which they are.',
        ja: '休暇は勤務日に取得します。勤務日は、メンバーのシフト、休日、設定、在籍期間によって決まります。',
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
