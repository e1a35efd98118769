/** One screen: whether it is on, what it plays and why, its ad share, and the hours in which it was offline. */
import type { AnswerOf, Marquee, OperationOf } from '@marquee/sdk';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useState, type FormEvent, type ReactElement } from 'react';
import { messageOf, useChange, useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { clockTime, count, moment, percent } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { Button, MoreMenu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { Field } from '../../ui/field.tsx';
import { Card, Figure, Page } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Age } from '../../ui/time/age.tsx';
import { PlaylistChoice } from '../playlists/playlist-choice.tsx';
import { ScreenCommands } from './screen-commands.tsx';
import { screenName } from './screen-name.ts';
import { CategoryBlocks } from './category-blocks.tsx';

type ScreenDetail = AnswerOf<OperationOf<'/v1/screens/{id}', 'get'>>;

export function Screen(): ReactElement {
  const { id } = useParams({ from: '/screens/$id' });
  const mayWrite = useMayWrite('screens');
  const screen = useRead(['screen', id], (api, signal) => api.get('/v1/screens/{id}', { path: { id }, signal }), {
    isLive: true,
  });
  return (
    <Page
      title={screen.data ? screenName(screen.data) : t('screens.screen')}
      lead={
        screen.data && (
          <span className="row">
            <Status of={screen.data.status} />
            <span>
              {screen.data.venue_name}, {screen.data.city}
            </span>
            <Link to="/screens">{t('screen.all')}</Link>
          </span>
        )
      }
      actions={screen.data && <Unpair id={id} />}
    >
      <Answered of={screen} lines={6} list={<Link to="/screens">{t('screen.all')}</Link>}>
        {record => <Details screen={record} mayWrite={mayWrite} />}
      </Answered>
    </Page>
  );
}

function Details({ screen, mayWrite }: { screen: ScreenDetail; mayWrite: boolean }): ReactElement {
  const { id, ad_ratio: ratio, last_seen_at: seen, platform } = screen;
  const block = useCallback(
    (api: Marquee, blocked: string[]) =>
      api.patch('/v1/screens/{id}', { path: { id }, body: { blocked_categories: blocked } }),
    [id],
  );
  return (
    <>
      <dl className="figures">
        <Figure label={t('screens.seen')} value={seen === null ? t('screens.never') : <Age at={seen} />} />
        <Figure
          label={t('screens.platform')}
          value={platform === null ? '–' : term('platform', platform)}
          note={term('orientation', screen.orientation)}
        />
        <Figure label={t('screens.adRatio')} value={percent(ratio)} />
        <Figure
          label={t('screen.sensor')}
          value={screen.sensor?.serial ?? t('screen.noSensor')}
          note={screen.sensor && mayWrite && <RemoveSensor id={id} />}
        />
      </dl>
      <div className="cards">
        <AdRatio id={id} ratio={ratio} />
        <ScreenCommands id={id} commands={screen.commands} />
        {mayWrite && <Name id={id} label={screen.label} />}
        <Card
          title={t('screen.playlist')}
          note={
            <Link to="/venues/$id" params={{ id: screen.venue_id }}>
              {screen.venue_name}
            </Link>
          }
        >
          <PlaylistChoice
            chosen={screen.playlist_id}
            hint={t('screen.playlistHint')}
            none={t('screen.venuePlaylist')}
            mayWrite={mayWrite}
            save={(api, playlist) => api.patch('/v1/screens/{id}', { path: { id }, body: { playlist_id: playlist } })}
          />
        </Card>
        <Away id={id} />
        <CategoryBlocks
          blocked={screen.blocked_categories}
          note={t('blocks.ofScreen')}
          mayWrite={mayWrite}
          save={block}
        />
        <Decisions id={id} />
      </div>
    </>
  );
}

/** The module stays registered: it can be paired with another screen. */
function RemoveSensor({ id }: { id: string }): ReactElement {
  const remove = useChange(api => api.delete('/v1/screens/{id}/sensor', { path: { id } }));
  return (
    <Confirm
      label={t('sensor.remove')}
      title={t('sensor.removeTitle')}
      hint={t('sensor.removeHint')}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    />
  );
}

function AdRatio({ id, ratio }: { id: string; ratio: number }): ReactElement {
  const [chosen, setChosen] = useState(ratio);
  const { warning } = useUnsaved(chosen !== ratio);
  const mayWrite = useMayWrite('screens');
  const change = useSave((api, share: number) =>
    api.patch('/v1/screens/{id}', { path: { id }, body: { ad_ratio: share } }),
  );
  return (
    <Card title={t('screens.adRatio')} note={percent(chosen)}>
      {warning}
      <p className="muted">{t('screen.adRatioHint')}</p>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={chosen}
        disabled={!mayWrite}
        aria-label={t('screens.adRatio')}
        aria-valuetext={percent(chosen)}
        onChange={event => setChosen(event.target.valueAsNumber)}
      />
      {mayWrite && (
        <div className="row">
          <Button onClick={() => change.mutate(chosen)} disabled={chosen === ratio} isBusy={change.isPending}>
            {t('dialog.save')}
          </Button>
          {change.error && <span className="field-error">{messageOf(change.error)}</span>}
        </div>
      )}
    </Card>
  );
}

function Name({ id, label }: { id: string; label: string }): ReactElement {
  const [name, setName] = useState(label);
  const isChanged = name.trim() !== label;
  const { warning } = useUnsaved(isChanged);
  const change = useSave(api => api.patch('/v1/screens/{id}', { path: { id }, body: { label: name.trim() } }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Card title={t('screen.name')}>
      {warning}
      <form className="stack" onSubmit={submit}>
        <Field
          label={t('screen.nameField')}
          value={name}
          maxLength={200}
          onChange={event => setName(event.target.value)}
          error={change.error ? messageOf(change.error) : undefined}
          required
        />
        <div className="row">
          <Button type="submit" disabled={!isChanged} isBusy={change.isPending}>
            {t('dialog.save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** The newest times online and offline. */
function Away({ id }: { id: string }): ReactElement {
  const health = useRead(
    ['screen', id, 'health'],
    (api, signal) => api.get('/v1/screens/{id}/health', { path: { id }, query: { limit: '8' }, signal }),
    { isLive: true },
  );
  return (
    <Card title={t('screen.health')}>
      <Answered of={health}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={t('screen.noConnection')} />
          ) : (
            <ul className="periods">
              {data.map(({ status, from, seconds }) => (
                <li key={from}>
                  <Status of={status} />
                  <span>{moment(from)}</span>
                  <span className="muted small">{lasted(seconds)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}

/** The ad by its category: whose it is, is the brand's own matter. */
function adOf({ category }: { category: string | null }): string {
  return category === null ? t('screen.adUnknown') : term('category', category);
}

function lasted(seconds: number): string {
  if (seconds < 60) return t('screen.seconds', { seconds: count(seconds) });
  if (seconds < 3_600) return t('screen.minutes', { minutes: count(seconds / 60) });
  if (seconds < 2 * 86_400) return t('screen.onlineHours', { hours: count(seconds / 3_600) });
  return t('screen.onlineDays', { days: count(seconds / 86_400) });
}

/** The newest slots: the winner of each, or why it had no ad, and how many campaigns lost for which reason. */
function Decisions({ id }: { id: string }): ReactElement {
  const decisions = useRead(
    ['screen', id, 'decisions'],
    (api, signal) => api.get('/v1/screens/{id}/decisions', { path: { id }, query: { limit: '20' }, signal }),
    { isLive: true },
  );
  return (
    <Card title={t('screen.decisions')} note={t('screen.decisionsNote')} isWide>
      <Answered of={decisions}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={t('screen.noDecision')} hint={t('screen.noDecisionHint')} />
          ) : (
            <ul className="decisions">
              {data.map(slot => (
                <li key={slot.starts_at}>
                  <details>
                    <summary>
                      <span className="slot-time">{clockTime(slot.starts_at)}</span>
                      <strong>{slot.winner ? adOf(slot.winner) : term('reason', slot.no_fill ?? 'lost')}</strong>
                      {!slot.winner && <span className="muted small">{t('screen.noAd')}</span>}
                    </summary>
                    {slot.winner && (
                      <p className="muted small">{t('screen.campaign', { id: slot.winner.campaign_id })}</p>
                    )}
                    {slot.losers_by_reason.length === 0 && <p className="muted small">{t('screen.noLosers')}</p>}
                    <ul className="losers">
                      {slot.losers_by_reason.map(({ reason, campaigns }) => (
                        <li key={reason}>
                          {t('screen.losers', { count: count(campaigns), reason: term('reason', reason) })}
                        </li>
                      ))}
                    </ul>
                  </details>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}

function Unpair({ id }: { id: string }): ReactElement | null {
  const navigate = useNavigate();
  const unpair = useChange(api => api.delete('/v1/screens/{id}', { path: { id } }));
  if (!useMayWrite('screens')) return null;
  return (
    <MoreMenu>
      <Confirm
        label={t('screen.unpair')}
        title={t('screen.unpairTitle')}
        hint={t('screen.unpairHint')}
        isBusy={unpair.isPending}
        error={unpair.error}
        onConfirm={() => unpair.mutate(undefined, { onSuccess: () => void navigate({ to: '/screens' }) })}
      />
    </MoreMenu>
  );
}
