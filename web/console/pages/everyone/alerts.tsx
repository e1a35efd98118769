/** Which alerts the person gets by mail about the workspace. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, useChange, useRead } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { count } from '../../text/format.ts';
import { LANGUAGES, t, type TextKey } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Answered, Fault } from '../../ui/states.tsx';

type Known = AnswerOf<OperationOf<'/v1/me/alerts', 'get'>>;
type Chosen = Omit<Known, 'email' | 'sends_mail'>;
type Kind = keyof Known['alerts'];

const MODES = ['off', 'at_once', 'daily'] as const;
/** The choices of campaigns besides a campaign's id. */
const [ALL, KEPT] = ['all', 'kept'];
const FIRST_QUIET = { start: '22:00', end: '07:00' };

export function Alerts(): ReactElement {
  const { me, client } = useSession();
  const alerts = useRead(['alerts'], (api, signal) => api.get('/v1/me/alerts', { signal }));
  const note = alerts.data && t('alerts.note', { workspace: me.workspace.name, email: alerts.data.email });
  return (
    <Card title={t('alerts.title')} note={note} isWide>
      <Answered of={alerts}>{known => <AlertsForm key={client ?? ''} known={known} />}</Answered>
    </Card>
  );
}

function AlertsForm({ known }: { known: Known }): ReactElement {
  const queries = useQueryClient();
  const kinds = Object.keys(known.alerts) as Kind[];
  const [isQuiet, setIsQuiet] = useState(known.quiet_hours !== null);
  const [isDirty, setDirty] = useState(false);
  const { warning } = useUnsaved(isDirty);
  const save = useChange(async (api, body: Chosen) => {
    const answer = await api.put('/v1/me/alerts', { body });
    await queries.invalidateQueries({ queryKey: ['alerts'] });
    return answer;
  });
  const faults = fieldErrors(save.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = chosenIn(new FormData(event.currentTarget), { known, kinds, isQuiet });
    save.mutate(chosen, { onSuccess: () => setDirty(false) });
  };
  return (
    <form className="stack" aria-label={t('alerts.title')} onSubmit={submit} onChange={() => setDirty(true)}>
      {warning}
      {!known.sends_mail && <p className="hint">{t('alerts.off')}</p>}
      <div className="fields">
        {kinds.map(kind => (
          <SelectField key={kind} label={t(`alerts.kind.${kind}`)} name={kind} defaultValue={known.alerts[kind]}>
            {MODES.map(mode => (
              <option key={mode} value={mode}>
                {t(`alerts.mode.${mode}`)}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      <Thresholds known={known} faults={faults} />
      <QuietHours isQuiet={isQuiet} onChange={setIsQuiet} known={known} error={faults['quiet_hours']} />
      {Object.keys(faults).length === 0 && <Fault error={save.error} />}
      <div className="row">
        <Button type="submit" isBusy={save.isPending}>
          {t('alerts.save')}
        </Button>
        <span role="status" className="muted small">
          {save.isSuccess && t('alerts.saved')}
        </span>
      </div>
    </form>
  );
}

type Faults = ReturnType<typeof fieldErrors>;

/** Which events are alerts, and when mails are sent. */
function Thresholds({ known, faults }: { known: Known; faults: Faults }): ReactElement {
  const { me } = useSession();
  const has = (kind: Kind) => kind in known.alerts;
  const number = (name: 'offline_minutes' | 'behind_percent' | 'wallet_below' | 'key_days', label: string) => (
    <Field
      label={label}
      name={name}
      type="number"
      step="any"
      defaultValue={known[name]}
      required
      error={faults[name]}
    />
  );
  return (
    <div className="fields">
      {has('screen_offline') && number('offline_minutes', t('alerts.offlineMinutes'))}
      {has('campaign_behind') && number('behind_percent', t('alerts.behindPercent'))}
      {has('wallet_low') && number('wallet_below', t('alerts.walletBelow', { currency: me.workspace.currency }))}
      {has('key_expiring') && number('key_days', t('alerts.keyDays'))}
      <SelectField label={t('alerts.language')} name="language" defaultValue={known.language}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('alerts.timezone')}
        name="timezone"
        defaultValue={isUntouched(known) ? browserZone() : known.timezone}
        required
        error={faults['timezone']}
      />
      <Time name="digest_at" label="alerts.digestAt" value={known.digest_at} />
      {has('weekly_report') && <ReportCampaigns chosen={known.report_campaigns} error={faults['report_campaigns']} />}
    </div>
  );
}

type ReportOptions = { chosen: Known['report_campaigns']; error: string | undefined };

/** All campaigns, or one. A choice of several, which a program made, is kept until another is made. */
function ReportCampaigns({ chosen, error }: ReportOptions): ReactElement {
  const campaigns = useRead(['campaigns', 'of reports'], (api, signal) =>
    api.get('/v1/campaigns', { query: { limit: '100' }, signal }),
  );
  const rows = campaigns.data?.data ?? [];
  const isKept = chosen !== null && (chosen.length > 1 || !rows.some(({ id }) => id === chosen[0]));
  return (
    <SelectField
      key={campaigns.isSuccess ? 'read' : 'reading'}
      label={t('alerts.reportCampaigns')}
      name="report_campaigns"
      defaultValue={chosen === null ? ALL : isKept ? KEPT : chosen[0]}
      error={error}
    >
      <option value={ALL}>{t('alerts.reportAll')}</option>
      {isKept && <option value={KEPT}>{t('alerts.reportKept', { count: count(chosen.length) })}</option>}
      {rows.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function reportedIn(field: string, before: Known['report_campaigns']): Known['report_campaigns'] {
  return field === ALL ? null : field === KEPT ? before : [field];
}

type QuietOptions = { isQuiet: boolean; onChange: (isQuiet: boolean) => void; known: Known; error: string | undefined };

function QuietHours({ isQuiet, onChange, known, error }: QuietOptions): ReactElement {
  const { start, end } = known.quiet_hours ?? FIRST_QUIET;
  return (
    <>
      <label className="row">
        <input type="checkbox" checked={isQuiet} onChange={event => onChange(event.target.checked)} />
        {t('alerts.quiet')}
      </label>
      {isQuiet && (
        <div className="fields">
          <Time name="quiet_start" label="alerts.quietStart" value={start} />
          <Time name="quiet_end" label="alerts.quietEnd" value={end} error={error} />
        </div>
      )}
    </>
  );
}

type TimeOptions = { name: string; label: TextKey; value: string; error?: string | undefined };

function Time({ name, label, value, error }: TimeOptions): ReactElement {
  return <Field label={t(label)} name={name} type="time" defaultValue={value} required error={error} />;
}

type Form = { known: Known; kinds: readonly Kind[]; isQuiet: boolean };

function chosenIn(fields: FormData, { known, kinds, isQuiet }: Form): Chosen {
  const text = (name: string, before: string) => String(fields.get(name) ?? before);
  const number = (name: string, before: number) => Number(fields.get(name) ?? before);
  return {
    language: text('language', known.language) as Known['language'],
    timezone: text('timezone', known.timezone),
    quiet_hours: isQuiet ? { start: text('quiet_start', ''), end: text('quiet_end', '') } : null,
    digest_at: text('digest_at', known.digest_at),
    offline_minutes: number('offline_minutes', known.offline_minutes),
    behind_percent: number('behind_percent', known.behind_percent),
    wallet_below: number('wallet_below', known.wallet_below),
    key_days: number('key_days', known.key_days),
    report_campaigns: reportedIn(text('report_campaigns', KEPT), known.report_campaigns),
    alerts: Object.fromEntries(kinds.map(kind => [kind, text(kind, 'off')])),
  };
}

/** Without a choice, the browser's zone is offered. */
function isUntouched({ timezone, alerts }: Known): boolean {
  return timezone === 'UTC' && Object.values(alerts).every(mode => mode === 'off');
}

function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
