/** An address as somebody may see it who has nothing but the link: `t***@example.jp`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}***${email.slice(at)}`;
}
