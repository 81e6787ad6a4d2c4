import type { Knex } from 'knex';

/**
 * The release before erases contacts beside this one, and knows of no recipients: the reference lets their row go, and with it goes
 * here what names the person, as this release erases. What waits for its mail is skipped when its turn comes. Statements that erase
 * by themselves are passed over.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION mail_forget_erased_recipient() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM mail_campaign_reads
       WHERE organization_id = OLD.organization_id AND campaign_id = OLD.campaign_id AND recipient_number = OLD.number;
      DELETE FROM mail_inbound_messages WHERE organization_id = OLD.organization_id AND recipient_id = OLD.id;
      NEW.email := NULL;
      NEW.email_key := NULL;
      NEW.smtp_response := NULL;
      NEW.bounce_diagnostic := NULL;
      RETURN NEW;
    END $$;
    CREATE TRIGGER mail_campaign_recipients_erased BEFORE UPDATE OF contact_id ON mail_campaign_recipients
      FOR EACH ROW WHEN (NEW.contact_id IS NULL AND NEW.email IS NOT NULL)
      EXECUTE FUNCTION mail_forget_erased_recipient();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER mail_campaign_recipients_erased ON mail_campaign_recipients;
    DROP FUNCTION mail_forget_erased_recipient();
  `);
}
