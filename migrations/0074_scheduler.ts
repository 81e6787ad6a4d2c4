import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const OWN_KEYS = `external_id ${id}, metadata jsonb NOT NULL DEFAULT '{}'`;
const TIMES = 'created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL';
const SPAN = `"start" timestamptz NOT NULL, "end" timestamptz NOT NULL, CHECK ("start" < "end")`;
const BUFFERS = 'buffer_before_minutes integer NOT NULL, buffer_after_minutes integer NOT NULL';
const OF_TYPE =
  'FOREIGN KEY (organization_id, event_type_id) REFERENCES scheduler_event_types (organization_id, id)';

const ownKeyOnce = (table: string, living = '') => `
  CREATE UNIQUE INDEX ${table}_external_id_once ON ${table} (organization_id, external_id)
    WHERE external_id IS NOT NULL${living};
  CREATE INDEX ${table}_by_change ON ${table} (organization_id, updated_at, id);
`;

/**
 * Event types with their members, when people are available, and what occupies them. Bookings, sessions, holds and
 * proposals are records; the time that they take of each host is a row of `scheduler_occupancies`, where the database
 * refuses two of one host that overlap. The row of a host is what writers of occupancies lock.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE scheduler_settings (
      ${ORGANIZATION},
      embed_origins jsonb NOT NULL,
      time_zone ${id} NOT NULL,
      week_starts_on ${id} NOT NULL CHECK (week_starts_on IN ('sunday', 'monday')),
      time_format ${id} NOT NULL CHECK (time_format IN ('24', '12')),
      default_availability jsonb NOT NULL,
      default_reminders jsonb NOT NULL,
      cancel_policy text,
      color ${id},
      locale ${id} NOT NULL CHECK (locale IN ('ja', 'en')),
      calendar_failure ${id} NOT NULL CHECK (calendar_failure IN ('closed', 'open')),
      block_on_leave boolean NOT NULL,
      retention_days integer CHECK (retention_days >= 0),
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );

    CREATE TABLE scheduler_availability (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      user_id ${id} NOT NULL,
      name text NOT NULL,
      time_zone ${id} NOT NULL,
      is_default boolean NOT NULL,
      weekly jsonb NOT NULL,
      overrides jsonb NOT NULL,
      closed_on_holidays boolean NOT NULL,
      ${OWN_KEYS},
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
    );
    CREATE UNIQUE INDEX scheduler_availability_default_once ON scheduler_availability (organization_id, user_id)
      WHERE is_default;
    CREATE INDEX scheduler_availability_of_user ON scheduler_availability (organization_id, user_id, id);
    ${ownKeyOnce('scheduler_availability')}

    CREATE TABLE scheduler_event_types (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      title text NOT NULL,
      slug ${id} NOT NULL,
      description text,
      duration_minutes integer NOT NULL,
      duration_options jsonb NOT NULL,
      slot_interval_minutes integer,
      ${BUFFERS},
      min_notice_minutes integer NOT NULL,
      booking_window jsonb NOT NULL,
      limits jsonb NOT NULL,
      seats_per_slot integer NOT NULL,
      confirmation jsonb NOT NULL,
      locations jsonb NOT NULL,
      questions jsonb NOT NULL,
      assignment ${id} NOT NULL CHECK (assignment IN ('single', 'collective', 'round_robin')),
      time_zone ${id},
      max_additional_guests integer NOT NULL,
      cancel_cutoff_minutes integer,
      reschedule_cutoff_minutes integer,
      reminders jsonb,
      locale ${id} CHECK (locale IN ('ja', 'en')),
      is_active boolean NOT NULL,
      ${OWN_KEYS},
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      deleted_at timestamptz,
      created_by ${id},
      ${TIMES},
      PRIMARY KEY (organization_id, id)
    );
    CREATE UNIQUE INDEX scheduler_event_types_slug_once ON scheduler_event_types (organization_id, slug)
      WHERE deleted_at IS NULL;
    CREATE INDEX scheduler_event_types_living ON scheduler_event_types (organization_id, id) WHERE deleted_at IS NULL;
    CREATE INDEX scheduler_event_types_search ON scheduler_event_types USING gin (organization_id, search_grams);
    ${ownKeyOnce('scheduler_event_types', ' AND deleted_at IS NULL')}

    CREATE TABLE scheduler_event_type_members (
      ${ORGANIZATION},
      event_type_id ${id} NOT NULL,
      user_id ${id} NOT NULL,
      position integer NOT NULL,
      role ${id} NOT NULL CHECK (role IN ('required', 'optional', 'rotating')),
      priority integer NOT NULL CHECK (priority BETWEEN 0 AND 4),
      availability_id ${id},
      PRIMARY KEY (organization_id, event_type_id, user_id),
      UNIQUE (organization_id, event_type_id, position) DEFERRABLE INITIALLY DEFERRED,
      ${OF_TYPE},
      FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
      FOREIGN KEY (organization_id, availability_id) REFERENCES scheduler_availability (organization_id, id)
    );
    CREATE INDEX scheduler_event_type_members_of_user
      ON scheduler_event_type_members (organization_id, user_id, event_type_id);
    CREATE INDEX scheduler_event_type_members_by_availability
      ON scheduler_event_type_members (organization_id, availability_id) WHERE availability_id IS NOT NULL;

    CREATE TABLE scheduler_hosts (
      ${ORGANIZATION},
      user_id ${id} NOT NULL,
      PRIMARY KEY (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
    );

    CREATE TABLE scheduler_sessions (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      event_type_id ${id} NOT NULL,
      ${SPAN},
      user_ids jsonb NOT NULL,
      seats integer NOT NULL CHECK (seats > 0),
      taken integer NOT NULL CHECK (taken >= 0 AND taken <= seats),
      status ${id} NOT NULL CHECK (status IN ('confirmed', 'cancelled')),
      ics_sequence integer NOT NULL DEFAULT 0,
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      ${OF_TYPE}
    );
    CREATE UNIQUE INDEX scheduler_sessions_once ON scheduler_sessions (organization_id, event_type_id, "start", "end")
      WHERE status = 'confirmed';

    CREATE TABLE scheduler_proposals (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      event_type_id ${id},
      title text NOT NULL,
      duration_minutes integer NOT NULL,
      location jsonb,
      user_ids jsonb NOT NULL,
      candidates jsonb NOT NULL,
      guest jsonb NOT NULL,
      message text,
      hold ${id} NOT NULL CHECK (hold IN ('tentative', 'none')),
      status ${id} NOT NULL CHECK (status IN ('open', 'accepted', 'declined', 'expired', 'withdrawn')),
      expires_at timestamptz NOT NULL,
      booking_id ${id},
      ${OWN_KEYS},
      created_by ${id},
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      ${OF_TYPE}
    );
    CREATE INDEX scheduler_proposals_by_type ON scheduler_proposals (organization_id, event_type_id)
      WHERE event_type_id IS NOT NULL;
    CREATE INDEX scheduler_proposals_open ON scheduler_proposals (organization_id, id) WHERE status = 'open';
    CREATE INDEX scheduler_proposals_due ON scheduler_proposals (expires_at) WHERE status = 'open';
    CREATE INDEX scheduler_proposals_by_host ON scheduler_proposals USING gin (organization_id, user_ids);
    ${ownKeyOnce('scheduler_proposals')}

    CREATE TABLE scheduler_bookings (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      event_type_id ${id},
      title text NOT NULL,
      status ${id} NOT NULL
        CHECK (status IN ('pending', 'confirmed', 'declined', 'expired', 'cancelled', 'no_show')),
      is_counted boolean NOT NULL,
      ${SPAN},
      guest jsonb NOT NULL,
      guest_email_key ${id} NOT NULL,
      additional_guests jsonb NOT NULL DEFAULT '[]',
      answers jsonb NOT NULL DEFAULT '{}',
      user_ids jsonb NOT NULL,
      assignment_reason jsonb,
      assigned_at timestamptz NOT NULL,
      location jsonb,
      source ${id} NOT NULL CHECK (source IN ('public', 'staff', 'proposal')),
      proposal_id ${id},
      session_id ${id},
      revision integer NOT NULL DEFAULT 0,
      ics_sequence integer NOT NULL DEFAULT 0,
      history jsonb NOT NULL DEFAULT '[]',
      pending_expires_at timestamptz,
      cancelled_at timestamptz,
      cancelled_by ${id} CHECK (cancelled_by IN ('guest', 'staff')),
      cancel_reason text,
      calendar_sync ${id} NOT NULL DEFAULT 'none' CHECK (calendar_sync IN ('none', 'pending', 'written', 'failed')),
      form_key ${id},
      ${OWN_KEYS},
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      created_by ${id},
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      ${OF_TYPE},
      FOREIGN KEY (organization_id, session_id) REFERENCES scheduler_sessions (organization_id, id),
      FOREIGN KEY (organization_id, proposal_id) REFERENCES scheduler_proposals (organization_id, id),
      CHECK (is_counted = false OR status IN ('pending', 'confirmed', 'no_show')),
      CHECK ((status = 'pending') = (pending_expires_at IS NOT NULL))
    ) WITH (fillfactor = 90);
    CREATE INDEX scheduler_bookings_by_start ON scheduler_bookings (organization_id, "start", id);
    CREATE INDEX scheduler_bookings_by_type ON scheduler_bookings (organization_id, event_type_id, "start", id);
    CREATE INDEX scheduler_bookings_by_guest ON scheduler_bookings (organization_id, guest_email_key, "start", id);
    CREATE INDEX scheduler_bookings_by_status ON scheduler_bookings (organization_id, status, id);
    CREATE INDEX scheduler_bookings_of_session ON scheduler_bookings (organization_id, session_id, id)
      WHERE session_id IS NOT NULL;
    CREATE INDEX scheduler_bookings_of_proposal ON scheduler_bookings (organization_id, proposal_id)
      WHERE proposal_id IS NOT NULL;
    CREATE INDEX scheduler_bookings_counted ON scheduler_bookings (organization_id, event_type_id, "start")
      WHERE is_counted;
    CREATE INDEX scheduler_bookings_pending ON scheduler_bookings (pending_expires_at) WHERE status = 'pending';
    CREATE UNIQUE INDEX scheduler_bookings_form_once ON scheduler_bookings (organization_id, form_key)
      WHERE form_key IS NOT NULL;
    CREATE UNIQUE INDEX scheduler_bookings_guest_once_in_session
      ON scheduler_bookings (organization_id, session_id, guest_email_key)
      WHERE session_id IS NOT NULL AND status IN ('pending', 'confirmed');
    CREATE INDEX scheduler_bookings_search ON scheduler_bookings USING gin (organization_id, search_grams);
    ${ownKeyOnce('scheduler_bookings')}

    CREATE TABLE scheduler_booking_hosts (
      ${ORGANIZATION},
      booking_id ${id} NOT NULL,
      user_id ${id} NOT NULL,
      "start" timestamptz NOT NULL,
      PRIMARY KEY (organization_id, booking_id, user_id),
      FOREIGN KEY (organization_id, booking_id) REFERENCES scheduler_bookings (organization_id, id)
    );
    CREATE INDEX scheduler_booking_hosts_of_user ON scheduler_booking_hosts (organization_id, user_id, booking_id);
    CREATE INDEX scheduler_booking_hosts_by_start
      ON scheduler_booking_hosts (organization_id, user_id, "start", booking_id);

    CREATE TABLE scheduler_holds (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      event_type_id ${id} NOT NULL,
      ${SPAN},
      user_ids jsonb NOT NULL,
      assignment_reason jsonb,
      client_address_hash ${id} NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_TYPE}
    );
    CREATE INDEX scheduler_holds_by_type ON scheduler_holds (organization_id, event_type_id);
    CREATE INDEX scheduler_holds_of_address ON scheduler_holds (organization_id, client_address_hash, expires_at);
    CREATE INDEX scheduler_holds_due ON scheduler_holds (expires_at);

    CREATE TABLE scheduler_occupancies (
      ${ORGANIZATION},
      kind ${id} NOT NULL CHECK (kind IN ('booking', 'session', 'hold', 'proposal')),
      record_id ${id} NOT NULL,
      position integer NOT NULL,
      user_id ${id} NOT NULL,
      event_type_id ${id},
      ${SPAN},
      ${BUFFERS},
      expires_at timestamptz,
      PRIMARY KEY (organization_id, record_id, user_id, position),
      FOREIGN KEY (organization_id, user_id) REFERENCES scheduler_hosts (organization_id, user_id),
      CONSTRAINT scheduler_occupancies_do_not_overlap EXCLUDE USING gist (
        organization_id WITH =, user_id WITH =, tstzrange("start", "end") WITH &&)
    );
    CREATE INDEX scheduler_occupancies_of_host
      ON scheduler_occupancies (organization_id, user_id, "start") INCLUDE ("end", kind, record_id, event_type_id,
        buffer_before_minutes, buffer_after_minutes, expires_at);
    CREATE INDEX scheduler_occupancies_expiring ON scheduler_occupancies (organization_id, user_id, expires_at)
      WHERE expires_at IS NOT NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE scheduler_occupancies, scheduler_holds, scheduler_booking_hosts, scheduler_bookings, scheduler_proposals,
      scheduler_sessions, scheduler_hosts, scheduler_event_type_members, scheduler_event_types,
      scheduler_availability, scheduler_settings;
  `);
}
