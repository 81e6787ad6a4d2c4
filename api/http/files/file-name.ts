const TOKEN_SAFE = /[^\x20-\x7e]|["\\%]/g;

/**
 * Content-Disposition for a file to be saved under that name (RFC 6266): in ASCII for the oldest readers, and as it is
 * written (RFC 8187) for all others.
 */
export function attachment(file_name: string): string {
  const plain = file_name.replace(TOKEN_SAFE, '_');
  const exact = encodeURIComponent(file_name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = plain === file_name ? '' : `; filename*=UTF-8''${exact}`;
  return `attachment; filename="${plain}"${extended}`;
}
