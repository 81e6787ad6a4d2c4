const text = (description: string, example: string, more: object = {}) => ({
  description,
  schema: { type: 'string', ...more },
  example,
});

const REQUEST = 'req_01kaj2n5w5fq8b4m0g3v7x9rtc';

/** The headers of answers: the content of `components.headers`. */
export const responseHeaders = {
  'Request-Id': text('Names this request in the log, the audit log and the events.', REQUEST),
  'Service-Version': text('The version of the API that this answer is given in.', '2026-02-22', {
    format: 'date',
  }),
  ETag: text(
    'For `If-None-Match` and, where the answer shows one record, `If-Match`.',
    '"mnf0v2o0.Jk3yVbq0m1c9sXz8r5TtAw"',
  ),
  Location: text('Where the record is found.', '/api/v1/crm/contacts/cont_01kaj2n5w5fq8b4m0g3v7x9rtc', {
    format: 'uri-reference',
  }),
  'Idempotency-Replayed': text(
    '`true` when this is the kept answer to the first request with the same Idempotency-Key.',
    'true',
  ),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 12 },
  'Last-Modified': text('When the file was made.', 'Wed, 01 Apr 2026 00:30:00 GMT'),
  'Accept-Ranges': text('The file can be had in parts.', 'bytes'),
  'Content-Range': text('Which bytes these are, of how many.', 'bytes 0-1023/48210'),
  'Content-Disposition': text(
    'The name to save the file under (RFC 6266).',
    'attachment; filename="_.csv"; filename*=UTF-8\'\'%E9%A1%A7%E5%AE%A2.csv',
  ),
  'Preference-Applied': text('That `Prefer: respond-async` was heard.', 'respond-async'),
  'WWW-Authenticate': text('The scheme that the service takes.', 'Bearer'),
  RateLimit: text(
    'What is left of the limit that is reached first: requests (`r`) and seconds until more (`t`).',
    '"credential";r=1187;t=34',
  ),
  'RateLimit-Policy': text(
    'The limits of the credential, the person and the organization: requests (`q`) in seconds (`w`).',
    '"credential";q=1200;w=60, "person";q=2400;w=60, "organization";q=4800;w=60',
  ),
};

/** The headers of requests: part of the content of `components.parameters`. */
export const requestHeaders = {
  'Service-Version': {
    name: 'Service-Version',
    in: 'header',
    description: "The version of the API to be answered in; the organization's own unless sent.",
    schema: { type: 'string', format: 'date' },
    example: '2026-02-22',
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to send again for 24 hours: the same key and request get the first answer. 1 to 255 visible ASCII characters, such as a UUID.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: '6f1a2b2e-3f0e-4c3a-9a57-0d6d4f1f7b11',
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag last seen: 412 when the record or the file has changed since.',
    schema: { type: 'string' },
    example: '"mnf0v2o0.Jk3yVbq0m1c9sXz8r5TtAw"',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the answer at hand: 304 without a body when it is still the same.',
    schema: { type: 'string' },
    example: '"mnf0v2o0.Jk3yVbq0m1c9sXz8r5TtAw"',
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'The part of the file to send, in bytes (RFC 9110): 206 instead of 200.',
    schema: { type: 'string' },
    example: 'bytes=1024-',
  },
  'If-Range': {
    name: 'If-Range',
    in: 'header',
    description: 'The ETag of the part at hand: the whole file is sent when it is another one by now.',
    schema: { type: 'string' },
    example: '"Jk3yVbq0m1c9sXz8r5TtAw"',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`respond-async` asks for the job at once where the file is not there yet (RFC 7240).',
    schema: { type: 'string' },
    example: 'respond-async',
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The ID of the last event received: the stream goes on after it.',
    schema: { type: 'string' },
    example: 'mnf0v2o0.running',
  },
};
