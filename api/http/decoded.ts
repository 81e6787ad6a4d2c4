/** What a percent-encoded text says; null where it is not percent-encoded UTF-8. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
