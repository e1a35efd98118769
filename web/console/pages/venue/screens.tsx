/** The health wall: every screen of the workspace, those in trouble first, and the way to pair another one. */
import type { AnswerOf, OperationOf, RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState, type ReactElement } from 'react';
import { counted, useList, useRead } from '../../api/api.ts';
import { holds } from '../../api/narrowed.ts';
import { useMayWrite } from '../../api/session.ts';
import { count, percent } from '../../text/format.ts';
import { t, term, withMoreTexts } from '../../text/text.ts';
import { Age } from '../../ui/time/age.tsx';
import { AddButton } from '../../ui/button.tsx';
import { useFilter, useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import { screenName } from './screen-name.ts';
import type { Column } from '../../ui/views/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { usePausedState } from '../../ui/time/use-paused.ts';

/** Includes the QR code renderer, which is not part of the first view. */
const PairDialog = lazy(() => withMoreTexts(import('./pair-dialog.tsx')));

type Screen = RecordOf<'/v1/screens'>;
type ScreenNow = AnswerOf<OperationOf<'/v1/screens/now', 'get'>>['data'][number];
/** As many as one call may name; more do not fit into a window. */
const IN_VIEW_MAX = 100;
const STATUSES = ['offline', 'paired_idle', 'online'] as const;
const CHOICES = ['all', ...STATUSES] as const;
type Shown = (typeof CHOICES)[number];
/** A player reports an ad within seconds, and the wall knows of it half a minute later. */
const UNREPORTED_MS_MIN = 300_000;

export function Screens(): ReactElement {
  const [isPairing, setPairing] = useState(false);
  const [shown, setShown] = useFilter('status', CHOICES);
  const { text, q, setText } = useSearchText();
  const mayPair = useMayWrite('pairing');
  const pair = mayPair && <AddButton text={t('screens.pair')} onClick={() => setPairing(true)} />;
  return (
    <Page title={t('nav.screens')} lead={t('screens.lead')} actions={pair}>
      <StatusTiles shown={shown} onShow={setShown} />
      <NameFilter text={text} onText={setText} label={t('screens.search')} />
      <ScreenTable shown={shown} q={q} pair={pair} />
      {isPairing && (
        <Suspense>
          <PairDialog onClose={() => setPairing(false)} />
        </Suspense>
      )}
    </Page>
  );
}

type StatusTilesOptions = { shown: Shown; onShow: (shown: Shown) => void };

/** How many screens are in each state. A press shows them alone. */
function StatusTiles({ shown, onShow }: StatusTilesOptions): ReactElement {
  const counts = useRead(
    ['screens', 'counts'],
    (api, signal) => api.get('/v1/screens', { query: { count: 'true', limit: '1' }, signal }),
    { isLive: true, isHeavy: true },
  );
  const { total, by_status: totals } = counts.data ?? {};
  const figureOf = (screens: number | undefined) => (screens === undefined ? '–' : count(screens));
  const tiles = [
    { value: 'all', text: t('filter.all'), figure: figureOf(total) } as const,
    ...STATUSES.map(value => ({
      value,
      text: term('status', value),
      figure: figureOf(totals?.[value]),
      note: t(`screens.note.${value}`),
    })),
  ];
  return <Tabs label={t('filter.status')} tabs={tiles} chosen={shown} onChoose={onShow} />;
}

type ScreenTableOptions = { shown: Shown; q: string; pair: ReactElement | false };

function ScreenTable({ shown, q, pair }: ScreenTableOptions): ReactElement {
  const { shownOn, onShow } = useShown();
  const list = useList(
    ['screens', shown, q],
    (api, page, signal) =>
      api.get('/v1/screens', {
        query: { ...counted(page), sort: 'status', ...(shown !== 'all' && { status: shown }), ...(q !== '' && { q }) },
        signal,
      }),
    {
      isLive: true,
      narrows: {
        name: ['screens', 'all', ''],
        has: ({ label, venue_name: venue, city, status }) =>
          (shown === 'all' || status === shown) && holds([label, venue, city], q),
      },
    },
  );
  const isFiltered = shown !== 'all' || q !== '';
  return (
    <ListTable
      of={list}
      empty={
        isFiltered
          ? { title: t('screens.noneFound') }
          : { title: t('screens.none'), hint: t('screens.noneHint'), children: pair }
      }
      label={t('nav.screens')}
      columns={useMemo(() => columns(shownOn), [shownOn])}
      keyOf={screen => screen.id}
      onShow={onShow}
    />
  );
}

/** The current content of the screens in view; refreshed while they are visible. */
function useShown() {
  const [screens, setInView] = usePausedState('');
  const onShow = useCallback(
    (rows: readonly Screen[]) =>
      setInView(
        rows
          .slice(0, IN_VIEW_MAX)
          .map(({ id }) => id)
          .join(),
      ),
    [setInView],
  );
  const asked = useRead(
    ['screens', 'now', screens],
    (api, signal) => api.get('/v1/screens/now', { query: { screen: screens }, signal }),
    { isLive: true, isWanted: screens !== '', keepsPrevious: true },
  );
  const shownOn = useMemo(() => new Map(asked.data?.data.map(one => [one.screen_id, one])), [asked.data]);
  return { shownOn, onShow };
}

function columns(shownOn: ReadonlyMap<string, ScreenNow>): Column<Screen>[] {
  return [
    {
      head: t('screens.screen'),
      cell: ({ id, label, venue_name: venue, city, platform }) => (
        <>
          <Link to="/screens/$id" params={{ id }}>
            {screenName({ id, label })}
          </Link>
          <div className="muted small">
            {venue}, {city}
            {platform !== null && `, ${term('platform', platform)}`}
          </div>
        </>
      ),
    },
    {
      head: t('filter.status'),
      cell: ({ status, last_seen_at: at }) => (
        <>
          <Status of={status} />
          {status === 'offline' && (
            <div className="muted small">{at === null ? t('screens.never') : <Age at={at} />}</div>
          )}
        </>
      ),
    },
    {
      head: t('screens.now'),
      cell: screen => <span className="small breaks">{shownNow(screen, shownOn.get(screen.id))}</span>,
    },
    {
      head: t('screens.lastAd'),
      cell: screen => <LastAd screen={screen} shown={shownOn.get(screen.id)} />,
      isWide: true,
    },
    { head: t('screens.adRatio'), cell: ({ ad_ratio: ratio }) => percent(ratio), isFigure: true, isWide: true },
  ];
}

/** When the screen last showed an ad, as it has reported, and whether it is given ads that it does not report. */
function LastAd({ screen, shown }: { screen: Screen; shown: ScreenNow | undefined }): ReactElement {
  const { last_ad: given = null, reported = null } = shown ?? {};
  const isSilent =
    screen.status === 'online' &&
    given !== null &&
    Date.parse(given.starts_at) - Date.parse(reported?.starts_at ?? screen.created_at) > UNREPORTED_MS_MIN;
  return (
    <>
      {reported ? <Age at={reported.starts_at} /> : '–'}
      {isSilent && <div className="muted small">{t('screens.unreported')}</div>}
    </>
  );
}

/** The ad by its category: whose it is, is the brand's own matter. */
function shownNow({ status, playlist_id: playlist }: Screen, shown: ScreenNow | undefined): string {
  if (status !== 'online' || shown === undefined) return '–';
  if (shown.ad) return t('screens.adOf', { category: term('category', shown.ad.category ?? '') });
  return t(playlist === null ? 'screens.noAdNow' : 'screens.ownNow');
}
