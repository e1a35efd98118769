/** Writes the shown part of the audit log into a file, and gives the link to it when it is there. */
import type { ReactElement } from 'react';
import { useChange, useRead } from '../../api/api.ts';
import { count } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { AuditFilter } from './audit-filters.tsx';
import { Fault } from '../../ui/states.tsx';

export function AuditExport({ filter }: { filter: AuditFilter }): ReactElement {
  const start = useChange(api =>
    api.post('/v1/audit/export', { body: { ...filter, kind: 'changes', destination: { type: 'signed_url' } } }),
  );
  return (
    <>
      <Button isBusy={start.isPending} onClick={() => start.mutate()}>
        {t('audit.export')}
      </Button>
      <Fault error={start.error} />
      <Dialog title={t('audit.export')} isOpen={start.data !== undefined} onClose={() => start.reset()}>
        {start.data && <Progress job={start.data.job_id} />}
      </Dialog>
    </>
  );
}

function Progress({ job }: { job: string }): ReactElement {
  const state = useRead(
    ['audit export', job],
    (api, signal) => api.get('/v1/audit/export/{job_id}', { path: { job_id: job }, signal }),
    { isLive: true },
  );
  const { status, rows = 0, url, error } = state.data ?? {};
  if (status === 'failed') return <p className="notice is-bad">{error?.detail}</p>;
  if (url === undefined) return <p role="status">{t('audit.exporting', { rows: count(rows) })}</p>;
  return (
    <p role="status">
      {t('audit.exported', { rows: count(rows) })} <a href={url}>{t('audit.download')}</a>
    </p>
  );
}
