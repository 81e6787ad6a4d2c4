/** The parts of the reference that belong to no domain. */
export const platformParts: Readonly<Record<string, string>> = {
  Platform: '共通機能',
  'Sign-in': 'サインイン',
  'Accounts of people and their sessions. Programs use API keys instead.':
    '利用者のアカウントとセッションです。プログラムはAPIキーを使います。',
  Organizations: '組織',
  'What every record belongs to.': 'すべてのレコードが属する組織です。',
  'The active organization': '現在の組織',
  'The one that a credential acts in.': '認証情報の操作対象の組織です。',
  'The people of an organization and their roles.': '組織のメンバーと、その役割です。',
  Invitations: '招待',
  'How people become members.': 'メンバーになるための招待です。',
  'API keys': 'APIキー',
  'Credentials for programs. They are made and revoked by signed-in people alone.':
    'プログラム用の認証情報です。作成と無効化はサインイン中の本人だけが行えます。',
  Events: 'イベント',
  'What happened in the organization, in an order in which a poller misses nothing.':
    '組織で起きた出来事を、定期的な取得でも漏れない順序で提供します。',
  'Originals of all domains together: their chain of hashes, and their files for an audit.':
    '全機能の原本をまとめたもので、ハッシュの連鎖と監査用のファイルがあります。',
  Jobs: 'ジョブ',
  'Work that goes on after the answer: its progress and its result.': '応答後も続く処理の、進捗と結果です。',
  'Who changed what beside the domains: keys, members, settings.': 'キー・メンバー・設定などの変更履歴です。',
  Changelog: '変更履歴',
  'The dated versions of the API.': '日付で示すAPIの版です。',
  Health: '稼働状況',
  'For machines that watch the service.': '監視システム向けの情報です。',
};
