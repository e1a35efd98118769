/** Bodies and answers of audit exports, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { strict, timestampField } from '../wire/shapes.ts';
import { AUDIT_FILTER } from './schema.ts';

const DESTINATIONS = ['signed_url', 's3', 'gcs'] as const;
const EXPORT_STATES = ['queued', 'running', 'succeeded', 'failed'] as const;

export const CreateExportBody = strict({
  destination: strict(
    {
      type: Type.Enum([...DESTINATIONS], {
        description:
          '`signed_url`: a CSV behind a link. `s3`, `gcs`: a bucket of Amazon, of Google, or of anything that speaks S3 (with `endpoint`).',
      }),
      bucket: Type.Optional(
        Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$', description: 'Name of the bucket.' }),
      ),
      prefix: Type.Optional(
        Type.String({
          maxLength: 500,
          pattern: "^[A-Za-z0-9!_.*'()/-]*$",
          description: 'Put before the name of the object; with its slash, if it is a folder.',
        }),
      ),
      region: Type.Optional(
        Type.String({ pattern: '^[a-z0-9-]{1,40}$', description: 'Region of the bucket; `us-east-1` by default.' }),
      ),
      endpoint: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_048,
          description: 'HTTPS address of a service that speaks S3; public, on port 443 or 8443.',
        }),
      ),
      access_key_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: '^[\\x21-\\x7e]+$',
          description: 'Access key (of Google: an HMAC key).',
        }),
      ),
      secret_access_key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          pattern: '^[\\x21-\\x7e]+$',
          description: 'Its secret; kept sealed, and only until the export has ended.',
        }),
      ),
    },
    { description: 'Where the CSV goes.' },
  ),
  ...AUDIT_FILTER,
});

export const CreatedExport = Type.Object(
  { job_id: Type.String({ description: 'exp_...; ask for its state at /v1/audit/export/{job_id}.' }) },
  { title: 'CreatedAuditExport' },
);
export const exportParams = Type.Object({ job_id: Type.String({ description: 'Id of the export.' }) });

export const ExportRecord = Type.Object(
  {
    job_id: Type.String({ description: 'exp_...' }),
    status: Type.Enum([...EXPORT_STATES], { description: '`queued` also while it waits to be tried again.' }),
    rows: Type.Integer({ description: 'Entries written so far.' }),
    url: Type.Optional(
      Type.String({
        description: 'Link to the CSV, for a `signed_url` that has succeeded; for 24 hours from its end.',
      }),
    ),
    expires_at: Type.Optional(timestampField('End of the link.')),
    error: Type.Optional(
      Type.Object(
        {
          code: Type.String({
            description:
              'Such as `destination_refused`, `destination_unreachable`, `address_forbidden` or `log_unavailable`.',
          }),
          detail: Type.String({ description: 'A sentence for people.' }),
        },
        { description: 'Why it failed, or failed the last time before it is tried again.' },
      ),
    ),
  },
  { title: 'AuditExport' },
);

export type CreateExport = Static<typeof CreateExportBody>;
