/** Sharing the report of a campaign: creates an expiring link, shows it once, and lists open links. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { messageOf, useChange, useList } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Fault } from '../../ui/states.tsx';

type SharedReport = RecordOf<'/v1/campaigns/{id}/shared-reports'>;
type Share = { name: string; days: number };
const DAYS = [7, 30, 90, 366] as const;
const DAYS_FIRST = '30';

export function ShareButton({ id }: { id: string }): ReactElement | null {
  const [isOpen, setOpen] = useState(false);
  if (!useMayWrite('reporting')) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('share.button')}</Button>
      <ShareDialog id={id} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function ShareDialog({ id, isOpen, onClose }: { id: string; isOpen: boolean; onClose: () => void }): ReactElement {
  const share = useChange((api, body: Share) => api.post('/v1/campaigns/{id}/shared-reports', { path: { id }, body }));
  const close = () => {
    share.reset();
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    share.mutate({ name: String(fields.get('name')).trim(), days: Number(fields.get('days')) });
  };
  return (
    <Dialog title={t('share.title')} isOpen={isOpen} onClose={close}>
      {share.data ? (
        <ShownOnce
          lead={t('share.once', { until: moment(share.data.expires_at) })}
          secret={share.data.url}
          copyText={t('share.copy')}
        />
      ) : (
        <form className="stack" onSubmit={submit}>
          <p className="muted">{t('share.lead')}</p>
          <Field label={t('share.name')} name="name" maxLength={200} hint={t('share.nameHint')} />
          <SelectField label={t('share.days')} name="days" defaultValue={DAYS_FIRST}>
            {DAYS.map(days => (
              <option key={days} value={days}>
                {t('share.daysOf', { days })}
              </option>
            ))}
          </SelectField>
          <Fault error={share.error} />
          <footer className="dialog-foot">
            <Button kind="primary" type="submit" isBusy={share.isPending}>
              {t('share.make')}
            </Button>
          </footer>
        </form>
      )}
      <OpenLinks id={id} isWanted={isOpen} />
    </Dialog>
  );
}

/** The active links; ended ones are in the audit log. */
function OpenLinks({ id, isWanted }: { id: string; isWanted: boolean }): ReactElement | null {
  const { rows, error } = useList(
    ['shared-reports', id],
    (api, page, signal) => api.get('/v1/campaigns/{id}/shared-reports', { path: { id }, query: page, signal }),
    { isWanted },
  );
  const open = rows.filter(({ status }) => status === 'open');
  if (error) return <p className="field-error">{messageOf(error)}</p>;
  if (open.length === 0) return null;
  return (
    <section className="stack" aria-label={t('share.open')}>
      <h3>{t('share.open')}</h3>
      <ul className="periods">
        {open.map(one => (
          <OpenLink key={one.id} shared={one} />
        ))}
      </ul>
    </section>
  );
}

function OpenLink({ shared: { id, name, expires_at: until } }: { shared: SharedReport }): ReactElement {
  const end = useChange(api => api.delete('/v1/shared-reports/{id}', { path: { id } }));
  const called = name || t('share.unnamed');
  return (
    <li>
      <span>
        <strong>{called}</strong>
        <span className="muted small"> {t('share.until', { until: moment(until) })}</span>
      </span>
      <Confirm
        label={t('share.end')}
        name={t('share.endOf', { name: called })}
        title={t('share.endTitle')}
        hint={t('share.endHint')}
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
      />
    </li>
  );
}
