/** Findings about the traffic of screens, the newest first. The open ones hold earnings until a person has decided. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { counted, useList } from '../../../api/api.ts';
import { moment, money } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useFilter } from '../../../ui/views/filters.ts';
import { ListTable } from '../../../ui/views/list.tsx';
import type { Column } from '../../../ui/views/table.tsx';
import { screenName } from '../../venue/screen-name.ts';
import { ruleTitle } from './rule.ts';

type Finding = RecordOf<'/v1/operator/findings'>;
const STATUSES = ['open', 'upheld', 'cleared'] as const;

export function Findings(): ReactElement {
  const [shown, setShown] = useFilter('status', [...STATUSES, 'all']);
  const list = useList(
    ['findings', shown],
    (api, page, signal) =>
      api.get('/v1/operator/findings', {
        query: { ...counted(page), ...(shown !== 'all' && { status: shown }) },
        signal,
      }),
    { isLive: true },
  );
  const tabs = [
    ...STATUSES.map(value => ({ value, text: term('findingStatus', value) })),
    { value: 'all', text: t('filter.all') } as const,
  ];
  const isWaiting = shown === 'open';
  return (
    <Page title={t('nav.findings')} lead={t('findings.lead')}>
      <Tabs label={t('filter.status')} tabs={tabs} chosen={shown} onChoose={setShown} />
      <ListTable
        of={list}
        empty={{ title: t(isWaiting ? 'findings.noneOpen' : 'findings.none'), hint: t('findings.noneHint') }}
        label={t('nav.findings')}
        columns={useMemo(() => columns(shown === 'all'), [shown])}
        keyOf={finding => finding.id}
      />
    </Page>
  );
}

function columns(hasStatus: boolean): Column<Finding>[] {
  return [
    {
      head: t('findings.found'),
      cell: ({ id, rule, screen, venue, status }) => (
        <>
          <Link to="/findings/$id" params={{ id }} className="breaks">
            {ruleTitle(rule)}
          </Link>
          <div className="muted small breaks">{screen ? `${screenName(screen)}, ${venue.name}` : venue.name}</div>
          {hasStatus && <Status of={status} group="findingStatus" />}
        </>
      ),
    },
    {
      head: t('frame.workspace'),
      cell: ({ workspace }) => <span className="breaks">{workspace.name}</span>,
      isWide: true,
    },
    { head: t('findings.raised'), cell: ({ raised_at: at }) => moment(at), isWide: true },
    { head: t('findings.holds'), cell: ({ holds }) => holds.map(money).join(', ') || '–', isFigure: true },
  ];
}
