/**
 * SQL over rows of members for those who are employed on one of the days `from` to `to` at least, which are SQL too.
 * `member` is the table or its alias. Without a first day that is everybody from the beginning, but those who are only
 * invited: they have not begun.
 */
export function employedWithin(member: string, from: string, to: string): string {
  const first = `coalesce(${member}.hired_on, CASE ${member}.status WHEN 'invited' THEN 'infinity' ELSE '-infinity' END::date)`;
  return `${first} <= ${to} AND coalesce(${member}.left_on, 'infinity') >= ${from}`;
}
