import { words } from '../kernel/vocabulary.ts';
import { queues } from './queues.ts';

/** The words of the platform. Words are never renamed: callers store them. */
export const platformWords = words({
  prefixes: {
    organization: 'org',
    user: 'usr',
    session: 'ses',
    account: 'acct',
    verification: 'ver',
    member: 'mbr',
    invitation: 'invt',
    api_key: 'ak',
    request: 'req',
    job: 'job',
    file: 'file',
    installation: 'inst',
    mail: 'mail',
    import_error: 'ierr',
  },
  failures: {
    checksum_mismatch: {
      status: 422,
      title: { en: 'Other bytes arrived than were announced', ja: '届いた内容がチェックサムと一致しません' },
      help: {
        en: 'Send the file again; "detail" names both SHA-256.',
        ja: 'ファイルをもう一度送信してください。両方のSHA-256は「detail」に示されています。',
      },
    },
    wrong_account: {
      status: 403,
      title: {
        en: 'The invitation is for another e-mail address',
        ja: 'この招待は別のメールアドレス宛てです',
      },
      help: {
        en: 'Sign out, or sign in with the address that was invited.',
        ja: 'サインアウトするか、招待されたメールアドレスでサインインしてください。',
      },
    },
    sign_up_closed: {
      status: 403,
      title: { en: 'Sign-up is by invitation only', ja: '新規登録は招待された方に限られています' },
      help: {
        en: 'Ask an owner or admin of the organization for an invitation.',
        ja: '組織のオーナーまたは管理者に招待を依頼してください。',
      },
    },
    email_not_verified: {
      status: 403,
      title: { en: 'The e-mail address is not verified yet', ja: 'メールアドレスの確認が済んでいません' },
      help: {
        en: 'Open the link in the mail that was sent to it, or ask for a new one.',
        ja: '届いたメールのリンクを開くか、新しいメールを依頼してください。',
      },
    },
    operators_only: {
      status: 403,
      title: { en: 'This page is for operators', ja: 'このページは運用担当者専用です' },
      help: {
        en: 'It is closed because OPERATOR_PASSWORD is not set: set it and start the service again.',
        ja: 'OPERATOR_PASSWORDが設定されていないため、閉じています。設定してサービスを再起動してください。',
      },
    },
    too_many_keys: {
      status: 409,
      title: {
        en: 'The organization has as many API keys as it may have',
        ja: '組織のAPIキーの数が上限に達しています',
      },
      help: {
        en: 'Revoke keys that nobody uses; "last_used_at" tells which. Expired and revoked ones do not count.',
        ja: '使っていないキーを無効にしてください。最後に使われた日時は「last_used_at」で確認できます。期限切れや無効化済みのキーは数えません。',
      },
    },
    last_owner: {
      status: 409,
      title: { en: 'The organization would be without an owner', ja: '組織のオーナーがいなくなります' },
      help: { en: 'Make another member an owner first.', ja: '先に別のメンバーをオーナーにしてください。' },
    },
    job_finished: {
      status: 409,
      title: { en: 'The job has ended already', ja: 'ジョブはすでに終了しています' },
      help: {
        en: 'A job can be cancelled while it is queued or running.',
        ja: 'ジョブを取り消せるのは、待機中または実行中の間です。',
      },
    },
    job_not_finished: {
      status: 409,
      title: { en: 'The job has not ended yet', ja: 'ジョブはまだ終了していません' },
      help: {
        en: 'Wait for it: GET /api/v1/jobs/{id}/events tells when it has.',
        ja: '終了をお待ちください。GET /api/v1/jobs/{id}/events で終了を確認できます。',
      },
    },
    too_many: {
      status: 422,
      title: {
        en: 'The filter matches more records than one call takes',
        ja: '条件に合う件数が一度に処理できる数を超えています',
      },
      help: {
        en: 'Ask for fewer with the filter, for example by days, and call several times. "matching" tells how many it matches.',
        ja: '期間などの条件で件数を絞り、何回かに分けて呼び出してください。該当件数は「matching」に示されています。',
      },
    },
    too_many_rows: {
      status: 422,
      title: {
        en: 'The report has more lines than it can be answered with',
        ja: 'レポートの行数が上限を超えています',
      },
      help: {
        en: 'Ask for fewer with the filters, or for "format=csv", which has no such bound.',
        ja: '条件で絞り込むか、上限のない「format=csv」を指定してください。',
      },
    },
  },
  events: [],
  queues,
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    platform: typeof platformWords;
  }
}
