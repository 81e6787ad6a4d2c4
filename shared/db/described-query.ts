import pg from 'pg';

/** Makes a row of its values as the server sends them. */
type RowOf = (cells: readonly (string | null)[]) => object;

/** What the server said of the rows that a prepared statement has; `rowOf` is null where it has none. */
type Description = { fields: pg.FieldDef[]; rowOf: RowOf | null };

/** What is known of one connection's prepared statements, by their names. */
export type Descriptions = Map<string, Description>;

/** The driver's query and its result, as far as they are used here. */
type Driven = {
  name: string;
  callback: (error: Error | null, result: pg.QueryResult) => void;
  _result: pg.QueryResult & { _parsers: ((text: string) => unknown)[] };
  _canceledDueToError: unknown;
  hasBeenParsed(wire: object): boolean;
  prepare(wire: object): void;
  handleRowDescription(message: object): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  handleCommandComplete(message: object, wire: object): void;
};

const Query = pg.Query as unknown as new (config: object, values: undefined, callback: unknown) => Driven;

/**
 * A prepared statement whose rows are described once: the server answers a statement that would have other columns by now with
 * an error, and never with other columns. Not through a pooler, which may have prepared it anew elsewhere.
 */
class DescribedQuery extends Query {
  readonly #known: Descriptions;
  #description: Description | undefined;

  constructor(config: pg.QueryConfig, known: Descriptions, callback: Driven['callback']) {
    super(config, undefined, callback);
    this.#known = known;
  }

  override prepare(wire: object): void {
    this.#description = this.#known.get(this.name);
    if (!this.#description || !this.hasBeenParsed(wire)) {
      this.#description = undefined;
      super.prepare(wire);
      return;
    }
    this._result.fields = this.#description.fields;
    super.prepare(undescribed(wire));
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    const { fields, _parsers: parsers } = this._result;
    this.#known.set(this.name, { fields, rowOf: rowMaker(fields, parsers) });
  }

  override handleDataRow(message: { fields: (string | null)[] }): void {
    if (!this.#description?.rowOf) {
      super.handleDataRow(message);
      return;
    }
    if (this._canceledDueToError) return;
    try {
      this._result.rows.push(this.#description.rowOf(message.fields));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }

  override handleCommandComplete(message: object, wire: object): void {
    if (!this.#known.has(this.name)) this.#known.set(this.name, { fields: [], rowOf: null });
    super.handleCommandComplete(message, wire);
  }
}

const quiet = new WeakMap<object, object>();

/** The same connection, which asks for no description. */
function undescribed(wire: object): object {
  const known = quiet.get(wire) ?? Object.create(wire, { describe: { value: () => undefined } });
  quiet.set(wire, known);
  return known;
}

/**
 * Generates what makes the rows of a statement: in the driver's own way each column of each row is stored by a name that is
 * looked up, which takes several times as long.
 */
function rowMaker(fields: readonly pg.FieldDef[], parsers: readonly ((text: string) => unknown)[]): RowOf {
  // In brackets: `__proto__` without them would set the prototype.
  const members = fields.map(
    ({ name }, at) =>
      `[${JSON.stringify(name)}]: cells[${at}] === null ? null : parsers[${at}](cells[${at}])`,
  );
  return new Function('parsers', `return (cells) => ({ ${members.join(', ')} });`)(parsers);
}

/** Runs a prepared statement by its name. Errors: those of the driver, with the stack of who asked. */
export function queryDescribed(
  client: pg.ClientBase,
  known: Descriptions,
  config: pg.QueryConfig,
): Promise<pg.QueryResult> {
  return new Promise<pg.QueryResult>((resolve, reject) => {
    const query = new DescribedQuery(config, known, (error, result) =>
      error ? reject(error) : resolve(result),
    );
    client.query(query as unknown as pg.Submittable);
  }).catch((error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}
