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
    day_revision: 'arev',
    attendance_session: 'asess',
    recalculation: 'arcl',
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
    already_recorded: {
      status: 409,
      title: { en: 'The month has records', ja: '勤怠の記録がある月です' },
      help: {
        en: '"months" names them. Opening months are those that the system before recorded; leave these months out.',
        ja: '該当する月は「months」に示されています。登録できるのは以前のシステムで記録した月だけです。これらの月を除いてください。',
      },
    },
    month_locked: {
      status: 409,
      title: { en: 'The month is closed', ja: '締め済みの月です' },
      help: {
        en: '"work_date" lies in a period that is submitted or confirmed, "month". It changes after the submission was returned or reopened.',
        ja: '「work_date」は、提出済みまたは確定済みの期間「month」に属します。変更するには、提出の差し戻し、または確定の取り消しが必要です。',
      },
    },
    period_open: {
      status: 409,
      title: { en: 'The period is not over', ja: '期間が終わっていません' },
      help: {
        en: 'A month is submitted from the last day of its period on, "period_end", or that of the member.',
        ja: '提出できるのは、期間の最終日「period_end」またはメンバーの退職日からです。',
      },
    },
    submission_blocked: {
      status: 409,
      title: { en: 'Something keeps the month from being closed', ja: '締められない項目があります' },
      help: {
        en: '"blocking" names each day: put its sessions right by a correction, decide the request, or accept absences with "accept_absences".',
        ja: '「blocking」に日ごとの項目が示されています。打刻を修正するか、申請を承認・却下してください。欠勤のまま締める場合は accept_absences を指定してください。',
      },
    },
    earlier_period_open: {
      status: 409,
      title: { en: 'An earlier month is not confirmed', ja: '前の月が確定されていません' },
      help: {
        en: 'Submit and confirm the month in "month" first: it has records.',
        ja: '先に、記録のある「month」の月を提出・確定してください。',
      },
    },
    later_period_closed: {
      status: 409,
      title: { en: 'A later month is closed', ja: '後の月が締められています' },
      help: {
        en: 'Return or reopen the later months first, the last one before the others.',
        ja: '先に後の月を、新しいものから順に差し戻すか、確定を取り消してください。',
      },
    },
    submission_frozen: {
      status: 409,
      code: 'frozen',
      title: { en: 'A confirmed month cannot change', ja: '確定済みの月は変更できません' },
      help: {
        en: 'Reopen it first; then it takes other IDs and metadata of yours.',
        ja: '先に確定を取り消してください。その後、external_id と metadata を変更できます。',
      },
    },
    already_clocked_in: {
      status: 409,
      title: { en: 'Already clocked in', ja: 'すでに出勤しています' },
      help: {
        en: 'A session runs. "current_status" and "allowed" say what can be punched now.',
        ja: '勤務中です。現在の状態と打刻できる種類は「current_status」と「allowed」に示されています。',
      },
    },
    not_clocked_in: {
      status: 409,
      title: { en: 'Not clocked in', ja: '出勤していません' },
      help: {
        en: 'Punch clock_in first; a forgotten one is put right by a correction.',
        ja: '先に出勤を打刻してください。打刻を忘れた場合は修正を申請してください。',
      },
    },
    already_on_break: {
      status: 409,
      title: { en: 'Already on a break', ja: 'すでに休憩中です' },
      help: {
        en: 'A break runs. Punch break_end, or clock_out, which ends the break too.',
        ja: '休憩中です。休憩終了、または休憩も終える退勤を打刻してください。',
      },
    },
    not_on_break: {
      status: 409,
      title: { en: 'Not on a break', ja: '休憩中ではありません' },
      help: {
        en: 'Punch break_start first; "allowed" says what can be punched now.',
        ja: '先に休憩開始を打刻してください。打刻できる種類は「allowed」に示されています。',
      },
    },
    session_expired: {
      status: 409,
      title: { en: 'The session has lasted too long', ja: '勤務が上限時間を超えています' },
      help: {
        en: 'The session is over "max_session_hours" of the settings. Clock in anew, and put the old day right by a correction.',
        ja: '設定の max_session_hours を超えています。新しく出勤を打刻し、過去の日は修正を申請してください。',
      },
    },
    out_of_order: {
      status: 409,
      title: { en: 'A later time is recorded already', ja: 'より新しい時刻が記録済みです' },
      help: {
        en: 'Punches are made in order of time. Past days are changed by corrections, PUT /attendance/records or an import.',
        ja: '打刻は時刻順に行います。過去の日は、修正申請、PUT /attendance/records、インポートで変更してください。',
      },
    },
    occurred_at_not_allowed: {
      status: 403,
      title: {
        en: 'Your role does not give the time of a punch',
        ja: '打刻時刻を指定できる役割ではありません',
      },
      help: {
        en: 'Leave "occurred_at" out: the punch counts as of now. Managers, admins and owners give times.',
        ja: 'occurred_at を省略すると現在時刻で打刻されます。時刻を指定できるのは manager、admin、owner です。',
      },
    },
    future_time: {
      status: 422,
      title: { en: 'The time lies in the future', ja: '未来の時刻です' },
      help: {
        en: 'A punch is at most 60 seconds ahead. Check the clock of the device.',
        ja: '打刻時刻は現在から60秒先までです。端末の時計を確認してください。',
      },
    },
    overlapping_session: {
      status: 409,
      title: { en: 'Another session has a part of this time', ja: '別の勤務と時間が重なっています' },
      help: {
        en: '"work_date" names the day of the other session. Change it first, or choose other times.',
        ja: '重なる勤務の日は「work_date」に示されています。先にその日を変更するか、別の時間を指定してください。',
      },
    },
    slack_not_connected: {
      status: 409,
      title: { en: 'Slack is not connected', ja: 'Slackと連携していません' },
      help: {
        en: 'PATCH /attendance/settings with slack.bot_token, a bot token with the scopes users:read, users:read.email, im:write and chat:write. Where it was connected before, Slack refuses its token by now, or the key that encrypted it was lost.',
        ja: 'スコープ users:read、users:read.email、im:write、chat:write を持つボットトークンを、PATCH /attendance/settings の slack.bot_token に設定してください。以前は連携していた場合、トークンがSlackで無効になったか、暗号化に使ったキーが失われています。',
      },
    },
    stale_day: {
      status: 409,
      title: {
        en: 'The day was changed after the correction was filed',
        ja: '修正申請の後に、その日の記録が変更されています',
      },
      help: {
        en: 'Reject or cancel the correction, look at the day as it is now, and file another one.',
        ja: '修正申請を却下または取り消し、現在の記録を確認してから、改めて申請してください。',
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
  events: ['attendance.record.clocked_in', 'attendance.record.clocked_out'],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    attendance: typeof attendanceWords;
  }
}
