type Report = {
  to: string;
  action?: string;
  status?: string;
  message_id?: string;
  envelope_id?: string;
  diagnostic?: string;
};

/** A delivery report as Postfix writes it (RFC 3464). */
export function deliveryReport({
  to,
  action = 'failed',
  status = '5.1.1',
  message_id = '<other@elsewhere.example>',
  envelope_id,
  diagnostic = `smtp; 550 ${status} <taro@example.jp>: Recipient address\r\n    rejected`,
}: Report): string {
  return lines(
    'Received: by mx.example.jp (Postfix) id 4F2A11C0001; Fri, 27 Nov 2026 10:00:00 +0900 (JST)',
    'From: MAILER-DAEMON@mx.example.jp (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    `To: ${to}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="AAA"',
    'Message-Id: <20261127010000.4F2A11C0001@mx.example.jp>',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--AAA',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is the mail system at host mx.example.jp.',
    '',
    '--AAA',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.jp',
    ...(envelope_id === undefined ? [] : [`Original-Envelope-Id: ${envelope_id}`]),
    'Arrival-Date: Fri, 27 Nov 2026 09:59:59 +0900 (JST)',
    '',
    'Final-Recipient: rfc822; taro@example.jp',
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mail.example.jp',
    `Diagnostic-Code: ${diagnostic}`,
    '',
    '--AAA',
    'Content-Description: Undelivered Message Headers',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${message_id}`,
    'Subject: =?UTF-8?B?5pil?=',
    '',
    '--AAA--',
    '',
  );
}

/** A feedback report (RFC 5965) with the mail that it is about. */
export function feedbackReport({ type, message_id }: { type: string; message_id: string }): string {
  return lines(
    'From: feedback@provider.example',
    'To: fbl@example.co.jp',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="BBB"',
    '',
    '--BBB',
    'Content-Type: text/plain',
    '',
    'An email abuse report.',
    '',
    '--BBB',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    '',
    '--BBB',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    'From: <shop@example.co.jp>',
    `Message-ID: ${message_id}`,
    'Content-Type: text/plain',
    '',
    'Message-ID: <body@example.co.jp>',
    '',
    '--BBB--',
    '',
  );
}

/** A mail with these header fields. */
export function plainMail(...fields: string[]): string {
  return lines(...fields, '', 'Hello', '');
}

function lines(...all: string[]): string {
  return all.join('\r\n');
}
