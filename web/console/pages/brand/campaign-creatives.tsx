/** The creatives of a campaign with their delivery. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { count } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import type { CampaignDetail } from './pace.ts';

export function CampaignCreatives({ campaign }: { campaign: CampaignDetail }): ReactElement {
  return (
    <Card title={t('creatives.title')}>
      <ul className="creative-rows">
        {campaign.creatives.map(creative => (
          <CreativeRow key={creative.id} creative={creative} />
        ))}
      </ul>
    </Card>
  );
}

function CreativeRow({ creative }: { creative: CampaignDetail['creatives'][number] }): ReactElement {
  const { id, status, plays, impressions, weight } = creative;
  const { data } = useRead(['creative', id], (api, signal) => api.get('/v1/creatives/{id}', { path: { id }, signal }));
  return (
    <li>
      {data?.poster_url ? <img src={data.poster_url} alt="" loading="lazy" /> : <span className="poster-gap" />}
      <div>
        <strong>{data?.name ?? id}</strong>
        <p className="muted small">
          {t('creatives.delivered', { plays: count(plays), impressions: count(impressions), weight })}
        </p>
      </div>
      <Status of={status} />
    </li>
  );
}
