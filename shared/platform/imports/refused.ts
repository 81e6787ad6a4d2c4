/** A file or an import that cannot be gone on with, whatever is tried: the import fails with this code and sentence. */
export class ImportRefused extends Error {
  override name = 'ImportRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
