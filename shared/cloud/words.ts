import { words } from '../kernel/vocabulary.ts';

/** The words of the cloud. Words are never renamed: callers store them. IDs of its files begin with the platform's `file_`. */
export const cloudWords = words({
  prefixes: { folder: 'fold', version: 'fver', upload: 'upl' },
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
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    cloud: typeof cloudWords;
  }
}
