/** Which software calls the API, as the header `X-Service-Sdk` names it. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { count, day } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';

export function Integrations(): ReactElement {
  const read = useRead(['integrations'], (api, signal) => api.get('/v1/operator/integrations', { signal }));
  return (
    <Card title={t('integrations.title')} note={t('integrations.note')}>
      <Answered of={read}>
        {({ integrations }) =>
          integrations.length === 0 ? (
            <EmptyState title={t('integrations.none')} hint={t('integrations.noneHint')} />
          ) : (
            <div className="table-frame">
              <table aria-label={t('integrations.title')}>
                <thead>
                  <tr>
                    <th scope="col">{t('integrations.software')}</th>
                    <th scope="col" className="is-figure">
                      {t('integrations.calls')}
                    </th>
                    <th scope="col" className="is-figure">
                      {t('integrations.workspaces')}
                    </th>
                    <th scope="col">{t('integrations.lastDay')}</th>
                  </tr>
                </thead>
                <tbody>
                  {integrations.map(one => (
                    <tr key={one.integration}>
                      <th scope="row">{one.integration}</th>
                      <td className="is-figure">{count(one.calls)}</td>
                      <td className="is-figure">{count(one.workspaces)}</td>
                      <td>{day(one.last_day)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Answered>
    </Card>
  );
}
