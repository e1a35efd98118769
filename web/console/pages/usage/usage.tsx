/** The campaigns and playlists that show a creative, or the playlists that show a picture. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { counted, useList } from '../../api/api.ts';
import { mayRead, useSession } from '../../api/session.ts';
import { count } from '../../text/format.ts';
import { t } from '../../text/text.ts';

/** A few names tell a person where to look. */
const NAMES_MAX = '5';

type Named = { id: string; name: string };
type Found = { rows: readonly Named[]; total: number | undefined };

/** Which creative is meant, and the campaigns and playlists with it that this person may read. */
export function CreativeUsage({ id }: { id: string }): ReactElement {
  const session = useSession();
  const campaigns = useList(
    ['campaigns', 'with', id],
    (api, page, signal) =>
      api.get('/v1/campaigns', { query: { ...counted(page), limit: NAMES_MAX, creative: id }, signal }),
    { isWanted: mayRead(session, 'campaigns') },
  );
  const playlists = useList(
    ['playlists', 'with', id],
    (api, page, signal) =>
      api.get('/v1/playlists', { query: { ...counted(page), limit: NAMES_MAX, creative: id }, signal }),
    { isWanted: mayRead(session, 'playlists') },
  );
  return (
    <div>
      <strong>{t('usage.title')}</strong>
      <UsedIn campaigns={campaigns} playlists={playlists} />
    </div>
  );
}

export function PictureUsage({ id }: { id: string }): ReactElement {
  const playlists = useList(['playlists', 'with', id], (api, page, signal) =>
    api.get('/v1/playlists', { query: { ...counted(page), limit: NAMES_MAX, asset: id }, signal }),
  );
  return <UsedIn playlists={playlists} />;
}

function UsedIn({ campaigns, playlists }: { campaigns?: Found; playlists: Found }): ReactElement {
  const lists = [...(campaigns ? [campaigns] : []), playlists];
  const all = lists.reduce((sum, { rows, total = rows.length }) => sum + total, 0);
  const shown = lists.reduce((sum, { rows }) => sum + rows.length, 0);
  if (all === 0) return <p className="muted small">{t('usage.none')}</p>;
  return (
    <ul className="usage small">
      {campaigns?.rows.map(({ id, name }) => (
        <li key={id}>
          <Link to="/campaigns/$id" params={{ id }}>
            {name}
          </Link>
        </li>
      ))}
      {playlists.rows.map(({ id, name }) => (
        <li key={id}>
          <Link to="/playlists/$id" params={{ id }}>
            {name}
          </Link>
        </li>
      ))}
      {all > shown && <li className="muted">{t('usage.more', { count: count(all - shown) })}</li>}
    </ul>
  );
}
