import { z } from 'zod';
import { TenantModel } from '../../db/model.ts';
import { id, timestamp } from '../../kernel/schema.ts';

/** Who changed what, from which value to which. */
export const AuditLog = z
  .strictObject({
    id: id('aud'),
    object: z.literal('audit_log'),
    domain: z.string().meta({ examples: ['crm'] }),
    entity_type: z.string().meta({ examples: ['contact'] }),
    entity_id: z.string().meta({ examples: ['cont_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    action: z.enum(['create', 'update', 'delete']),
    actor: z.strictObject({
      type: z.enum(['user', 'api_key', 'guest', 'system']),
      id: z.string().meta({ examples: ['usr_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    }),
    changes: z
      .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
      .describe('Each changed field with its value before and after.')
      .meta({ examples: [{ position: ['係長', '課長'] }] }),
    request_id: z
      .string()
      .nullable()
      .meta({ examples: ['req_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
    ip_address: z
      .string()
      .nullable()
      .meta({ examples: ['203.0.113.7'] }),
    created_at: timestamp(),
  })
  .meta({ id: 'AuditLog' });

export type AuditLog = z.output<typeof AuditLog>;

/** Takes inserts only: the database refuses every change. */
export class AuditLogModel extends TenantModel {
  static override tableName = 'audit_logs';
  static override jsonAttributes = ['changes'];
}
