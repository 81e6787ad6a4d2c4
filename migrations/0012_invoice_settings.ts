import type { Knex } from 'knex';

/**
 * What an organization's documents begin with, one row an organization from the first change on, and the images that
 * they show, by the hash of their bytes: what is issued names an image by it, so none is ever changed or removed.
 * In `email_templates` and `numbering` only what differs from the standard is kept.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE invoicing_images (
      organization_id text COLLATE "C" NOT NULL,
      sha256 text COLLATE "C" NOT NULL,
      storage_key text COLLATE "C" NOT NULL,
      media_type text COLLATE "C" NOT NULL,
      width integer NOT NULL,
      height integer NOT NULL,
      size integer NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, sha256)
    );

    CREATE TABLE invoicing_settings (
      organization_id text COLLATE "C" PRIMARY KEY,
      issuer_name text,
      issuer_detail text,
      issuer_registration_number text COLLATE "C",
      logo_sha256 text COLLATE "C",
      seal_sha256 text COLLATE "C",
      bank_account jsonb,
      time_zone text COLLATE "C" NOT NULL,
      fiscal_year_start_month integer NOT NULL CHECK (fiscal_year_start_month BETWEEN 1 AND 12),
      default_tax_display_mode text COLLATE "C" NOT NULL CHECK (default_tax_display_mode IN ('exclusive', 'inclusive')),
      default_tax_rounding text COLLATE "C" NOT NULL CHECK (default_tax_rounding IN ('floor', 'round', 'ceil')),
      default_due jsonb NOT NULL,
      memo_templates jsonb NOT NULL,
      email_templates jsonb NOT NULL,
      numbering jsonb NOT NULL,
      reply_to text,
      window_envelope text COLLATE "C" NOT NULL CHECK (window_envelope IN ('none', 'left', 'right')),
      approval_required boolean NOT NULL,
      locale text COLLATE "C" NOT NULL CHECK (locale IN ('ja', 'en')),
      updated_at timestamptz NOT NULL,
      FOREIGN KEY (organization_id, logo_sha256) REFERENCES invoicing_images (organization_id, sha256),
      FOREIGN KEY (organization_id, seal_sha256) REFERENCES invoicing_images (organization_id, sha256)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE invoicing_settings, invoicing_images');
}
