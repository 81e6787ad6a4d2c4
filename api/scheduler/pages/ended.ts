/** What guests do whose link opens nothing (any more): whose it was is not known, but the mail that brought it is. */
export const advice = {
  ja: 'ご用件は、このリンクが届いたメールに返信してお問い合わせください。主催者に届きます。',
  en: 'To get in touch with the host, reply to the mail in which you got this link.',
};
