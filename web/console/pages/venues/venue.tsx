/**
 * One place: the figures by which its plays are priced, what runs on its screens, what they never show, and when it is
 * open.
 */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { AnswerOf, Marquee, OperationOf } from '@marquee/sdk';
import { useCallback, type ReactElement } from 'react';
import { counted, useChange, useList, useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { count, moment, zoneName } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button, MoreMenu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card, Figure, Page } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { List } from '../../ui/views/list.tsx';
import { PlaylistChoice } from '../playlists/playlist-choice.tsx';
import { screenName } from '../venue/screen-name.ts';
import { ChangeVenue } from './change-venue-dialog.tsx';
import { HoursCard, type Hours } from './hours-card.tsx';
import { MenuCard } from './menu-card.tsx';
import { CategoryBlocks } from '../venue/category-blocks.tsx';

type VenueDetail = AnswerOf<OperationOf<'/v1/venues/{id}', 'get'>>;
/** As many at first; the others follow by a press. */
const SCREENS_MAX = '20';

export function Venue(): ReactElement {
  const { id } = useParams({ from: '/venues/$id' });
  const venue = useRead(['venue', id], (api, signal) => api.get('/v1/venues/{id}', { path: { id }, signal }));
  const mayWrite = useMayWrite('venues');
  const block = useCallback(
    (api: Marquee, blocked: string[]) =>
      api.patch('/v1/venues/{id}', { path: { id }, body: { blocked_categories: blocked } }),
    [id],
  );
  return (
    <Page
      title={venue.data?.name ?? t('venues.venue')}
      lead={
        venue.data && (
          <span className="row">
            <span>
              {venue.data.city}, {term('venueType', venue.data.type)}
            </span>
            <Link to="/venues">{t('venues.all')}</Link>
          </span>
        )
      }
      actions={
        mayWrite &&
        venue.data && (
          <>
            <ChangeVenue id={id} venue={venue.data} />
            <ArchiveVenue id={id} />
          </>
        )
      }
    >
      <Answered of={venue} lines={6} list={<Link to="/venues">{t('venues.all')}</Link>}>
        {record => (
          <>
            <Review venue={record} />
            <Figures venue={record} />
            <div className="cards">
              <Card title={t('venues.playlist')}>
                <PlaylistChoice
                  chosen={record.default_playlist_id}
                  hint={t('venues.playlistHint')}
                  none={t('venues.adsAlone')}
                  mayWrite={mayWrite}
                  save={(api, playlist) =>
                    api.patch('/v1/venues/{id}', { path: { id }, body: { default_playlist_id: playlist } })
                  }
                />
              </Card>
              <MenuCard id={id} mayWrite={mayWrite} />
              <HoursCard id={id} hours={record.opening_hours as Hours} mayWrite={mayWrite} />
              <CategoryBlocks
                blocked={record.blocked_categories}
                note={t('blocks.ofVenue')}
                mayWrite={mayWrite}
                save={block}
              />
              <Screens id={id} />
            </div>
          </>
        )}
      </Answered>
    </Page>
  );
}

function Figures({ venue }: { venue: VenueDetail }): ReactElement {
  return (
    <dl className="figures">
      <Figure label={t('venues.visitors')} value={count(venue.figures.in_force.daily_visitors)} />
      <Figure label={t('venues.dwell')} value={count(venue.figures.in_force.dwell_minutes)} />
      <Figure
        label={t('venues.audience')}
        value={count(venue.figures.in_force.audience_max)}
        note={t('venues.audienceNote')}
      />
      <Figure label={t('venues.zone')} value={zoneName(venue.timezone)} />
    </dl>
  );
}

/** Reports, earnings and payouts still name an archived venue. */
function ArchiveVenue({ id }: { id: string }): ReactElement {
  const navigate = useNavigate();
  const remove = useChange(api => api.delete('/v1/venues/{id}', { path: { id } }));
  return (
    <MoreMenu>
      <Confirm
        label={t('venues.archive')}
        title={t('venues.archiveTitle')}
        hint={t('venues.archiveHint')}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/venues' }) })}
      />
    </MoreMenu>
  );
}

/** Figures that wait for the operator, or were refused and why. */
function Review({ venue: { figures } }: { venue: VenueDetail }): ReactElement | null {
  const { review } = figures;
  if (review?.status === 'pending')
    return <p className="notice is-wait">{t('venues.waits', { time: moment(review.requested_at) })}</p>;
  if (review?.rejection)
    return (
      <p className="notice is-bad">
        {t('venues.rejected')} {review.rejection.detail}
      </p>
    );
  return null;
}

function Screens({ id }: { id: string }): ReactElement {
  const list = useList(['screens', 'of venue', id], (api, page, signal) =>
    api.get('/v1/screens', { query: { ...counted(page), limit: SCREENS_MAX, venue: id }, signal }),
  );
  return (
    <Card title={t('nav.screens')} note={list.total === undefined ? undefined : count(list.total)} isWide>
      <List of={list} empty={{ title: t('screens.none'), hint: t('venues.pairHint'), children: <PairLink /> }}>
        {(rows, onMore) => (
          <>
            <ul className="periods">
              {rows.map(screen => (
                <li key={screen.id}>
                  <Status of={screen.status} />
                  <Link to="/screens/$id" params={{ id: screen.id }}>
                    {screenName(screen)}
                  </Link>
                </li>
              ))}
            </ul>
            {onMore && <Button onClick={onMore}>{t('table.more')}</Button>}
          </>
        )}
      </List>
    </Card>
  );
}

function PairLink(): ReactElement {
  return (
    <Link to="/screens" className="button">
      {t('screens.pair')}
    </Link>
  );
}
