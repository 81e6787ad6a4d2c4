import type { FailureKind, Vocabulary } from './vocabulary.ts';

/**
 * The codes that any call can answer, whatever it is about. Codes of the platform and of domains stand in their
 * `words.ts`; the whole table is in shared/domains.ts. `title` is what went wrong in general, `help` what the reader can
 * do about it.
 */
export const kernelFailures = {
  malformed_request: {
    status: 400,
    title: { en: 'What arrived is no HTTP request', ja: '届いたデータはHTTPのリクエストではありません' },
    help: {
      en: 'Send it with an HTTP library, with a Host header; letters beyond ASCII in a path are percent-encoded.',
      ja: 'HTTPライブラリを使い、Hostヘッダーを付けて送信してください。パスのASCII以外の文字はパーセントエンコードしてください。',
    },
  },
  malformed_json: {
    status: 400,
    title: { en: 'The body is not valid JSON', ja: '本文が正しいJSONではありません' },
    help: { en: 'Send one JSON object in UTF-8.', ja: 'UTF-8のJSONオブジェクトを1つ送信してください。' },
  },
  malformed_form: {
    status: 400,
    title: {
      en: 'The body is not a whole multipart/form-data form',
      ja: '本文が完全なmultipart/form-data形式ではありません',
    },
    help: {
      en: 'Send the form as RFC 7578 says, with a boundary in the Content-Type.',
      ja: 'RFC 7578に従い、Content-Typeにboundaryを指定して送信してください。',
    },
  },
  invalid_version: {
    status: 400,
    title: { en: 'The Service-Version is no version', ja: 'Service-Versionのバージョンは存在しません' },
    help: {
      en: 'Use one of the dates in GET /api/v1/changelog, or leave the header out.',
      ja: 'GET /api/v1/changelog にある日付を指定するか、ヘッダーを省いてください。',
    },
  },
  invalid_cursor: {
    status: 400,
    title: { en: 'The cursor cannot be continued from', ja: 'カーソルの続きを取得できません' },
    help: {
      en: 'Start again from the first page. In orders other than the default a cursor ends with its record.',
      ja: '最初のページから取得し直してください。既定以外の並び順では、カーソルのレコードが削除されると続きを取得できません。',
    },
  },
  invalid_idempotency_key: {
    status: 400,
    title: { en: 'The Idempotency-Key header is not usable', ja: 'Idempotency-Keyヘッダーの値は使えません' },
    help: {
      en: 'Send 1 to 255 visible ASCII characters, for example a UUID.',
      ja: '表示可能なASCII文字1〜255文字（UUIDなど）を指定してください。',
    },
  },
  missing_credentials: {
    status: 401,
    title: { en: 'The request carries no credentials', ja: '認証情報がありません' },
    help: {
      en: 'Send "Authorization: Bearer <API key>" or sign in for a session cookie.',
      ja: '「Authorization: Bearer <APIキー>」を送信するか、サインインしてセッションのCookieを使ってください。',
    },
  },
  invalid_credentials: {
    status: 401,
    title: { en: 'The credentials are not valid', ja: '認証情報が正しくありません' },
    help: {
      en: 'The key or session is unknown, expired, revoked or signed out. Make a new one.',
      ja: 'キーまたはセッションが存在しないか、期限切れ、無効化済み、またはサインアウト済みです。新しいものを作成してください。',
    },
  },
  insufficient_scope: {
    status: 403,
    title: { en: 'The credentials do not allow this', ja: 'この操作の権限がありません' },
    help: {
      en: 'Use a key or a role that has the scope named in "detail".',
      ja: '「detail」に示されたスコープを持つキーまたは役割で操作してください。',
    },
  },
  no_active_organization: {
    status: 403,
    title: { en: 'The session has no active organization', ja: 'セッションで有効な組織がありません' },
    help: {
      en: 'Create one with POST /api/v1/organizations or activate one of yours.',
      ja: 'POST /api/v1/organizations で組織を作成するか、所属する組織を有効にしてください。',
    },
  },
  cross_site_request: {
    status: 403,
    title: { en: 'The request comes from another site', ja: '別のサイトからのリクエストです' },
    help: {
      en: 'Requests that change something with a cookie must come from the pages of this service. Use an API key instead.',
      ja: 'Cookieを使う変更操作は、このサービスのページから行う必要があります。代わりにAPIキーを使ってください。',
    },
  },
  session_required: {
    status: 403,
    title: { en: 'This needs a signed-in person', ja: 'この操作にはサインインが必要です' },
    help: {
      en: 'API keys cannot do this. Sign in and use the session cookie.',
      ja: 'APIキーでは実行できません。サインインしてセッションのCookieを使ってください。',
    },
  },
  not_found: {
    status: 404,
    title: { en: 'There is no such record', ja: '該当するレコードがありません' },
    help: {
      en: 'Check the ID. Records of other organizations look the same as missing ones.',
      ja: 'IDを確認してください。ほかの組織のレコードは、存在しないものとして扱われます。',
    },
  },
  no_such_endpoint: {
    status: 404,
    title: { en: 'There is no such endpoint', ja: '該当するエンドポイントがありません' },
    help: { en: 'See /docs for all paths.', ja: 'すべてのパスは /docs にあります。' },
  },
  method_not_allowed: {
    status: 405,
    title: { en: 'The path does not take this method', ja: 'このパスではこのメソッドを使えません' },
    help: {
      en: 'The Allow header lists the methods that it takes.',
      ja: '使えるメソッドはAllowヘッダーに示されています。',
    },
  },
  request_timeout: {
    status: 408,
    title: { en: 'The request did not arrive in time', ja: 'リクエストが時間内に届きませんでした' },
    help: {
      en: 'Send it again, without a pause in its header.',
      ja: 'ヘッダーの途中で間を空けずに、もう一度送信してください。',
    },
  },
  invalid_transition: {
    status: 409,
    title: { en: 'The record cannot change to that status', ja: 'その状態には変更できません' },
    help: {
      en: '"detail" names the present status and those that it can change to.',
      ja: '現在の状態と、変更できる状態は「detail」に示されています。',
    },
  },
  already_exists: {
    status: 409,
    title: { en: 'A record with this value exists already', ja: '同じ値のレコードがすでにあります' },
    help: {
      en: '"errors" names the field. Use another value, or change the existing record.',
      ja: '該当する項目は「errors」に示されています。別の値を使うか、既存のレコードを変更してください。',
    },
  },
  in_use: {
    status: 409,
    title: { en: 'The record is in use', ja: 'このレコードは使用中です' },
    help: {
      en: 'Remove or move what refers to it first; "detail" says what.',
      ja: '先に、これを参照しているものを削除または移動してください。何が参照しているかは「detail」に示されています。',
    },
  },
  cycle: {
    status: 409,
    title: { en: 'The records would contain each other', ja: 'レコードの親子関係が循環します' },
    help: { en: 'Choose another parent.', ja: '別の親を選んでください。' },
  },
  limit_reached: {
    status: 409,
    title: { en: 'No more of these are allowed', ja: 'これ以上は作成できません' },
    help: {
      en: 'Remove some first; "detail" names the limit.',
      ja: '先に不要なものを削除してください。上限は「detail」に示されています。',
    },
  },
  idempotency_key_in_use: {
    status: 409,
    title: {
      en: 'The first request with this Idempotency-Key is still running',
      ja: 'このIdempotency-Keyの最初のリクエストがまだ処理中です',
    },
    help: {
      en: 'Send the same request again in a moment to get its answer.',
      ja: 'しばらくしてから同じリクエストをもう一度送信すると、その結果を取得できます。',
    },
  },
  expired: {
    status: 410,
    title: { en: 'This is no longer valid', ja: '有効期限が切れています' },
    help: { en: 'Ask for a new one.', ja: '新しいものを依頼してください。' },
  },
  version_retired: {
    status: 410,
    title: { en: 'This version of the API has ended', ja: 'このバージョンのAPIは終了しました' },
    help: {
      en: 'Move to one of the versions in GET /api/v1/changelog.',
      ja: 'GET /api/v1/changelog にあるバージョンへ移行してください。',
    },
  },
  precondition_failed: {
    status: 412,
    title: { en: 'The record has changed meanwhile', ja: 'レコードはその後変更されています' },
    help: {
      en: 'Read it again, and repeat the change with its new ETag in If-Match.',
      ja: 'もう一度取得し、新しいETagをIf-Matchに指定して変更し直してください。',
    },
  },
  body_too_large: {
    status: 413,
    title: { en: 'The body is too large', ja: '本文が大きすぎます' },
    help: { en: 'Stay below the limit in "detail".', ja: '「detail」に示された上限以下にしてください。' },
  },
  too_many_values: {
    status: 413,
    title: { en: 'The body has too many values', ja: '本文の値の数が多すぎます' },
    help: {
      en: 'Send fewer members and elements, in several requests if need be; "detail" names the limit.',
      ja: '項目や要素を減らし、必要に応じて複数のリクエストに分けてください。上限は「detail」に示されています。',
    },
  },
  unsupported_media_type: {
    status: 415,
    title: { en: 'The body has a type that is not taken here', ja: '本文の形式に対応していません' },
    help: {
      en: 'Send "Content-Type: application/json", or "multipart/form-data" where a file is taken.',
      ja: '「Content-Type: application/json」で送信してください。ファイルを受け付ける場合は「multipart/form-data」も使えます。',
    },
  },
  range_not_satisfiable: {
    status: 416,
    title: { en: 'The file has no such bytes', ja: 'ファイルに指定された範囲がありません' },
    help: {
      en: 'Content-Range tells how long it is.',
      ja: 'ファイルの長さはContent-Rangeに示されています。',
    },
  },
  validation_failed: {
    status: 422,
    title: { en: 'The request is not valid', ja: 'リクエストの内容に誤りがあります' },
    help: {
      en: '"errors" lists every fault with its place.',
      ja: 'すべての誤りとその場所は「errors」に示されています。',
    },
  },
  idempotency_key_reused: {
    status: 422,
    title: {
      en: 'The Idempotency-Key was used for another request',
      ja: 'このIdempotency-Keyは別のリクエストで使用済みです',
    },
    help: {
      en: 'Use a new key for each new request; repeat one only with the same method, path and body.',
      ja: '新しいリクエストごとに新しいキーを使ってください。同じキーを使えるのは、メソッド、パス、本文が同じ場合だけです。',
    },
  },
  unknown_reference: {
    status: 422,
    title: {
      en: 'The request refers to a record that does not exist',
      ja: '存在しないレコードが指定されています',
    },
    help: {
      en: '"errors" names the field. Use the ID of a record of this organization.',
      ja: '該当する項目は「errors」に示されています。この組織のレコードのIDを指定してください。',
    },
  },
  rate_limited: {
    status: 429,
    title: { en: 'Too many requests', ja: 'リクエストが多すぎます' },
    help: {
      en: 'Wait for the seconds in Retry-After. The RateLimit headers tell what is left.',
      ja: 'Retry-Afterの秒数だけ待ってください。残りの回数はRateLimitヘッダーに示されています。',
    },
  },
  header_too_large: {
    status: 431,
    title: { en: 'The header is too large', ja: 'ヘッダーが大きすぎます' },
    help: {
      en: 'The path with its query and all headers may have 16 KiB together. Shorten the query, or send fewer cookies.',
      ja: 'クエリを含むパスとすべてのヘッダーは、合わせて16 KiBまでです。クエリを短くするか、Cookieを減らしてください。',
    },
  },
  internal_error: {
    status: 500,
    title: { en: 'Something went wrong on our side', ja: 'サービス側で問題が発生しました' },
    help: {
      en: 'Try again; if it stays, tell the operator the request_id.',
      ja: 'もう一度お試しください。解消しない場合は、request_idを運用担当者にお知らせください。',
    },
  },
  unavailable: {
    status: 503,
    title: { en: 'The service cannot answer just now', ja: 'ただいま応答できません' },
    help: {
      en: 'Try again after the seconds in Retry-After, with the same Idempotency-Key.',
      ja: 'Retry-Afterの秒数が経過してから、同じIdempotency-Keyでもう一度お試しください。',
    },
  },
} as const satisfies Record<string, FailureKind>;

/** Every code of the kernel, the platform and the domains. */
export type FailureCode = {
  [Owner in keyof Vocabulary]: keyof Vocabulary[Owner]['failures'];
}[keyof Vocabulary];
