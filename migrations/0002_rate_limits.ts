import type { Knex } from 'knex';

/**
 * What the API processes tell each other about limits. Unlogged: nothing here outlives its window, so a crash may
 * empty it, and counting costs no write-ahead log. Buckets are hashes: no address and no e-mail stands here.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE UNLOGGED TABLE rate_limits (
      bucket text COLLATE "C" NOT NULL,
      window_ends_at timestamptz NOT NULL,
      used bigint NOT NULL,
      PRIMARY KEY (bucket, window_ends_at)
    );
    CREATE INDEX rate_limits_by_end ON rate_limits (window_ends_at);

    CREATE UNLOGGED TABLE attempts (
      bucket text COLLATE "C" PRIMARY KEY,
      attempted_at timestamptz[] NOT NULL,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX attempts_by_expiry ON attempts (expires_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE attempts, rate_limits');
}
