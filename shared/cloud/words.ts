import { words } from '../kernel/vocabulary.ts';

/** The words of the cloud. Words are never renamed: callers store them. IDs of its files begin with the platform's `file_`. */
export const cloudWords = words({
  prefixes: { folder: 'fold', version: 'fver', upload: 'upl', share: 'shr' },
  failures: {
    folder_permission: {
      status: 403,
      title: { en: 'The folder does not allow it', ja: 'このフォルダーに対する権限がありません' },
      help: {
        en: '"permission" says what you may do there. Ask a manager of the folder, or an owner or admin.',
        ja: '現在の権限は「permission」に示されています。フォルダーの管理者、または組織のオーナーか管理者に依頼してください。',
      },
    },
    folder_cycle: {
      status: 409,
      title: { en: 'A folder cannot be below itself', ja: 'フォルダーを自身の下に移動することはできません' },
      help: {
        en: 'Choose a folder that is not the moved one and not below it.',
        ja: '移動するフォルダー自身とその配下を除いた移動先を指定してください。',
      },
    },
    too_deep: {
      status: 409,
      title: { en: 'The tree would be deeper than 32 levels', ja: '階層が32段を超えます' },
      help: {
        en: 'Choose a folder that is nearer to the root.',
        ja: 'ルートに近いフォルダーを指定してください。',
      },
    },
    retention_active: {
      status: 409,
      title: { en: 'The record is held until a date', ja: '保管期限まで変更できません' },
      help: {
        en: 'It, or something below it, has to be kept until "held_until"; no one can shorten that.',
        ja: '対象またはその配下に、「held_until」の日まで保管が必要なものがあります。期限は短縮できません。',
      },
    },
    quota_exceeded: {
      status: 413,
      title: { en: 'The organization has no room for the file', ja: '組織の容量が不足しています' },
      help: {
        en: '"free_bytes" is left. Purge files from the trash, delete old versions, or have the quota raised.',
        ja: '空き容量は「free_bytes」です。ゴミ箱を空にするか、古い版を削除するか、上限を引き上げてください。',
      },
    },
    tus_version: {
      status: 412,
      title: { en: 'The version of tus is not spoken here', ja: 'このtusのバージョンには対応していません' },
      help: {
        en: 'Send "Tus-Resumable: 1.0.0".',
        ja: '「Tus-Resumable: 1.0.0」を送信してください。',
      },
    },
    offset_mismatch: {
      status: 409,
      title: {
        en: 'Another number of bytes has arrived than the piece begins at',
        ja: '届いているバイト数とUpload-Offsetが一致しません',
      },
      help: {
        en: 'Ask by HEAD how far the upload has come, and go on there.',
        ja: 'HEADで届いているバイト数を確認し、そこから再開してください。',
      },
    },
    upload_locked: {
      status: 423,
      title: {
        en: 'Another request adds to the upload just now',
        ja: '別のリクエストがこのアップロードに書き込んでいます',
      },
      help: {
        en: 'Ask by HEAD how far the upload has come, after the seconds in Retry-After, and go on there.',
        ja: 'Retry-Afterの秒数が経過してから、HEADで届いているバイト数を確認し、そこから再開してください。',
      },
    },
    quarantined: {
      status: 409,
      title: { en: 'The file contains malware', ja: 'マルウェアが検出されたファイルです' },
      help: {
        en: 'Its content is given to nobody. Delete the file, or restore an earlier version.',
        ja: '内容は取得できません。ファイルを削除するか、以前の版を復元してください。',
      },
    },
    share_ended: {
      status: 410,
      title: { en: 'The share has ended', ja: '共有は終了しました' },
      help: {
        en: 'It has expired, is used up or was taken back, or what it showed is there no longer. Ask who sent it for another one.',
        ja: '期限切れ、回数の上限、取り消し、または共有元の削除によるものです。送信者に新しい共有を依頼してください。',
      },
    },
    share_not_started: {
      status: 403,
      title: { en: 'The share has not begun', ja: '共有はまだ始まっていません' },
      help: {
        en: '"starts_at" says when it does.',
        ja: '開始日時は「starts_at」のとおりです。',
      },
    },
    share_password: {
      status: 403,
      title: { en: 'The share needs its password', ja: '共有のパスワードが必要です' },
      help: {
        en: 'Send it in the header `Share-Password`. After 10 wrong ones of an address it waits for 15 minutes.',
        ja: '`Share-Password` ヘッダーで送信してください。同じアドレスから10回間違えると15分間待つ必要があります。',
      },
    },
    shares_disabled: {
      status: 409,
      title: { en: 'The organization has no shares', ja: '組織の設定で共有が無効になっています' },
      help: {
        en: 'Who may change settings can allow them: `shares_enabled` of the settings of the cloud.',
        ja: '設定を変更できる人が、クラウドの設定の `shares_enabled` で有効にできます。',
      },
    },
    not_scanned: {
      status: 409,
      title: { en: 'The file has not been scanned', ja: 'ファイルの検査が済んでいません' },
      help: {
        en: 'Guests get what was looked at for malware. Try again later; one that is too large to be looked at is shared where `share_unscanned` of the settings allows it.',
        ja: '外部にはマルウェア検査済みのファイルだけを渡します。しばらくしてからお試しください。大きすぎて検査できないファイルは、設定の `share_unscanned` で許可した場合に限り共有されます。',
      },
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    cloud: typeof cloudWords;
  }
}
