/** The campaigns of all clients that wait for the agency, with budget, dates and an approve button. */
import type { RecordOf } from '@marquee/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { counted, messageOf, useChange, useList } from '../../api/api.ts';
import { useMayWrite, useSession } from '../../api/session.ts';
import { day, money } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';

type Approval = RecordOf<'/v1/agency/approvals'>;

export function Approvals(): ReactElement {
  const { chooseClient } = useSession();
  const navigate = useNavigate();
  const mayWrite = useMayWrite('agency');
  const list = useList(
    ['approvals'],
    (api, page, signal) => api.get('/v1/agency/approvals', { query: { ...counted(page), sort: 'created_at' }, signal }),
    { isLive: true },
  );
  const approve = useChange(async (api, { campaign_id: id, name, client }: Approval) => {
    await api.patch('/v1/campaigns/{id}', { path: { id }, body: { status: 'pending_review' }, workspace: client.id });
    showToast({ text: t('reviews.approved', { name }) });
  });
  const open = ({ campaign_id: id, client }: Approval) => {
    chooseClient(client.id);
    void navigate({ to: '/campaigns/$id', params: { id } });
  };
  return (
    <Page title={t('nav.approvals')} lead={t('approvals.lead')}>
      {approve.error && (
        <p className="notice is-bad" role="alert">
          {messageOf(approve.error)}
        </p>
      )}
      <ListTable
        of={list}
        empty={{ title: t('approvals.none'), hint: t('approvals.noneHint') }}
        label={t('nav.approvals')}
        columns={columns({
          open,
          approve: mayWrite ? one => approve.mutate(one) : undefined,
          busy: approve.isPending ? approve.variables : undefined,
        })}
        keyOf={one => one.campaign_id}
      />
    </Page>
  );
}

type ColumnOptions = {
  open: (one: Approval) => void;
  approve: ((one: Approval) => void) | undefined;
  busy: Approval | undefined;
};

function columns({ open, approve, busy }: ColumnOptions): Column<Approval>[] {
  return [
    {
      head: t('campaigns.name'),
      cell: one => (
        <>
          <button type="button" className="text-button" onClick={() => open(one)}>
            {one.name}
          </button>
          <div className="muted small">
            {one.client.name}, {term('category', one.category)}
          </div>
        </>
      ),
    },
    { head: t('approvals.budget'), cell: ({ budget }) => money(budget), isFigure: true },
    {
      head: t('campaigns.days'),
      cell: ({ schedule }) => (
        <span className="muted small">
          {day(schedule.starts)} – {day(schedule.ends)}
        </span>
      ),
      isWide: true,
    },
    {
      head: t('clients.act'),
      cell: one =>
        approve && (
          <Button
            kind="primary"
            aria-label={t('approvals.approveOf', { name: one.name })}
            isBusy={busy?.campaign_id === one.campaign_id}
            onClick={() => approve(one)}
          >
            {t('approvals.approve')}
          </Button>
        ),
      isFigure: true,
    },
  ];
}
