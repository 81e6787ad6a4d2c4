/** A file or an import that no retry can mend: the import fails with this code and sentence. */
export class ImportRefused extends Error {
  override name = 'ImportRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
