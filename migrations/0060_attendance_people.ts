import type { Knex } from 'knex';
import { firstMembers } from './0060_attendance_people/first-members.ts';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const OWN_KEYS = `external_id ${id}, metadata jsonb NOT NULL DEFAULT '{}'`;
const TIMES = 'created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL';

/**
 * The people of attendance and what holds for them from a date on. A member is a person whose days are recorded; each
 * membership has one, which may be there before it (an invitation, a person without an account).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE attendance_departments (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      name text NOT NULL,
      code ${id},
      parent_id ${id},
      manager_member_id ${id},
      sort_order integer NOT NULL DEFAULT 0,
      ${OWN_KEYS},
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, parent_id) REFERENCES attendance_departments (organization_id, id)
    );
    CREATE UNIQUE INDEX attendance_departments_code_once ON attendance_departments (organization_id, code)
      WHERE code IS NOT NULL;
    CREATE UNIQUE INDEX attendance_departments_external_id_once ON attendance_departments (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX attendance_departments_by_parent ON attendance_departments (organization_id, parent_id)
      WHERE parent_id IS NOT NULL;
    CREATE INDEX attendance_departments_by_manager ON attendance_departments (organization_id, manager_member_id)
      WHERE manager_member_id IS NOT NULL;
    CREATE INDEX attendance_departments_by_change ON attendance_departments (organization_id, updated_at, id);
    CREATE INDEX attendance_departments_in_order ON attendance_departments (organization_id, sort_order, id);

    CREATE TABLE attendance_positions (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      name text NOT NULL,
      code ${id},
      sort_order integer NOT NULL DEFAULT 0,
      ${OWN_KEYS},
      ${TIMES},
      PRIMARY KEY (organization_id, id)
    );
    CREATE UNIQUE INDEX attendance_positions_code_once ON attendance_positions (organization_id, code)
      WHERE code IS NOT NULL;
    CREATE UNIQUE INDEX attendance_positions_external_id_once ON attendance_positions (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX attendance_positions_by_change ON attendance_positions (organization_id, updated_at, id);
    CREATE INDEX attendance_positions_in_order ON attendance_positions (organization_id, sort_order, id);

    CREATE TABLE attendance_members (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      user_id ${id},
      name text NOT NULL,
      email ${id},
      employee_code ${id},
      department_id ${id},
      position_id ${id},
      hired_on date,
      left_on date,
      slack_user_id ${id},
      status ${id} NOT NULL CHECK (status IN ('invited', 'active', 'left')),
      ${OWN_KEYS},
      searched_name text NOT NULL,
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id),
      FOREIGN KEY (organization_id, department_id) REFERENCES attendance_departments (organization_id, id),
      FOREIGN KEY (organization_id, position_id) REFERENCES attendance_positions (organization_id, id),
      CHECK (status <> 'invited' OR user_id IS NULL AND email IS NOT NULL)
    ) WITH (fillfactor = 90);
    CREATE UNIQUE INDEX attendance_members_user_once ON attendance_members (organization_id, user_id)
      WHERE user_id IS NOT NULL;
    CREATE UNIQUE INDEX attendance_members_email_once ON attendance_members (organization_id, email)
      WHERE email IS NOT NULL;
    CREATE UNIQUE INDEX attendance_members_employee_code_once ON attendance_members (organization_id, employee_code)
      WHERE employee_code IS NOT NULL;
    CREATE UNIQUE INDEX attendance_members_external_id_once ON attendance_members (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX attendance_members_by_status ON attendance_members (organization_id, status, id);
    CREATE INDEX attendance_members_by_department ON attendance_members (organization_id, department_id, id)
      WHERE department_id IS NOT NULL;
    CREATE INDEX attendance_members_by_position ON attendance_members (organization_id, position_id, id)
      WHERE position_id IS NOT NULL;
    CREATE INDEX attendance_members_by_change ON attendance_members (organization_id, updated_at, id);
    CREATE INDEX attendance_members_by_name ON attendance_members (organization_id, searched_name, id);
    CREATE INDEX attendance_members_by_code ON attendance_members (organization_id, employee_code, id);
    CREATE INDEX attendance_members_leaving ON attendance_members (organization_id, left_on)
      WHERE left_on IS NOT NULL AND status <> 'left';
    CREATE INDEX attendance_members_search ON attendance_members USING gin (organization_id, search_grams);
    ALTER TABLE attendance_departments ADD CONSTRAINT attendance_departments_manager
      FOREIGN KEY (organization_id, manager_member_id) REFERENCES attendance_members (organization_id, id);

    CREATE TABLE attendance_schedules (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      name text NOT NULL,
      "start" ${id} NOT NULL,
      "end" ${id} NOT NULL,
      breaks jsonb NOT NULL,
      minutes integer NOT NULL CHECK (minutes BETWEEN 1 AND 1440),
      half_day jsonb NOT NULL,
      core jsonb,
      is_default boolean NOT NULL DEFAULT false,
      ${OWN_KEYS},
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      CHECK (NOT is_default OR minutes <= 480)
    );
    CREATE UNIQUE INDEX attendance_schedules_default_once ON attendance_schedules (organization_id) WHERE is_default;
    CREATE UNIQUE INDEX attendance_schedules_external_id_once ON attendance_schedules (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX attendance_schedules_by_change ON attendance_schedules (organization_id, updated_at, id);

    CREATE TABLE attendance_terms (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      member_id ${id} NOT NULL,
      effective_from date NOT NULL,
      work_system ${id} NOT NULL,
      schedule_id ${id},
      weekly_days integer,
      weekly_hours numeric(5, 2),
      annual_days integer,
      deemed_minutes integer,
      flexible_limit ${id} NOT NULL,
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, member_id, effective_from),
      FOREIGN KEY (organization_id, member_id) REFERENCES attendance_members (organization_id, id),
      FOREIGN KEY (organization_id, schedule_id) REFERENCES attendance_schedules (organization_id, id)
    );
    CREATE INDEX attendance_terms_by_schedule ON attendance_terms (organization_id, schedule_id)
      WHERE schedule_id IS NOT NULL;
    CREATE INDEX attendance_terms_of_member ON attendance_terms (organization_id, member_id, id);

    CREATE TABLE attendance_roster_days (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      member_id ${id} NOT NULL,
      date date NOT NULL,
      day_type ${id} NOT NULL CHECK (day_type IN ('workday', 'prescribed_holiday', 'legal_holiday')),
      schedule_id ${id},
      ${TIMES},
      PRIMARY KEY (organization_id, id),
      CONSTRAINT attendance_roster_days_once UNIQUE (organization_id, member_id, date),
      FOREIGN KEY (organization_id, member_id) REFERENCES attendance_members (organization_id, id),
      FOREIGN KEY (organization_id, schedule_id) REFERENCES attendance_schedules (organization_id, id)
    );
    CREATE INDEX attendance_roster_days_by_date ON attendance_roster_days (organization_id, date, id);
    CREATE INDEX attendance_roster_days_by_schedule ON attendance_roster_days (organization_id, schedule_id)
      WHERE schedule_id IS NOT NULL;
    CREATE INDEX attendance_roster_days_by_change ON attendance_roster_days (organization_id, updated_at, id);

    CREATE TABLE attendance_settings (
      ${ORGANIZATION},
      settings jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );
    CREATE TABLE attendance_dated_settings (
      ${ORGANIZATION},
      effective_from date NOT NULL,
      settings jsonb NOT NULL,
      PRIMARY KEY (organization_id, effective_from)
    );

    CREATE TABLE attendance_holidays (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      date date NOT NULL,
      name text NOT NULL,
      name_en text,
      counts_as ${id} NOT NULL CHECK (counts_as IN ('prescribed_holiday', 'legal_holiday', 'workday')),
      ${OWN_KEYS},
      ${TIMES},
      PRIMARY KEY (organization_id, id)
    );
    CREATE UNIQUE INDEX attendance_holidays_date_once ON attendance_holidays (organization_id, date);
    CREATE UNIQUE INDEX attendance_holidays_external_id_once ON attendance_holidays (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX attendance_holidays_by_change ON attendance_holidays (organization_id, updated_at, id);

    CREATE TABLE attendance_daily_runs (
      ${ORGANIZATION},
      due_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );
    CREATE INDEX attendance_daily_runs_due ON attendance_daily_runs (due_at);
  `);
  await firstMembers(knex);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE attendance_departments DROP CONSTRAINT attendance_departments_manager;
    DROP TABLE attendance_daily_runs, attendance_holidays, attendance_dated_settings, attendance_settings,
      attendance_roster_days, attendance_terms, attendance_schedules, attendance_members, attendance_positions,
      attendance_departments;
  `);
}
