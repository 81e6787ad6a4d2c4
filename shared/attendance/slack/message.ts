/** Who invites whom to what. */
export type Told = { organization: string; invited_by: string; email: string; locale: 'ja' | 'en' };

/** The message in Slack: it names the mail, whose link it does not have. */
export function invitationMessage({ organization, invited_by, email, locale }: Told): string {
  const [by, to, at] = [invited_by, organization, email].map(plain);
  return locale === 'ja'
    ? `${by} さんが「${to}」に招待しています。${at} に届いたメールのリンクを開いて参加してください。`
    : `${by} invites you to join ${to}. To join, open the link in the mail that was sent to ${at}.`;
}

/** A text without Slack's marks for links and mentions: its three control characters are escaped, formatting is not. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
