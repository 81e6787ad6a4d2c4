/**
 * The name of a zone in Node's database for a TZID; null for what is not one. Some programs write a prefix:
 * `/freeassociation.sourceforge.net/Europe/Paris`.
 */
export function zoneNamed(tzid: string): string | null {
  const parts = tzid.split('/').filter(Boolean);
  const names = tzid.startsWith('/') ? [parts.slice(-2).join('/'), parts.slice(-3).join('/')] : [tzid];
  return names.find((name) => isZone(name)) ?? null;
}

function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
