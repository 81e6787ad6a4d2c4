/** A file or an import that another try cannot mend: the import fails with this code and message. */
export class ImportFailure extends Error {
  override name = 'ImportFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
