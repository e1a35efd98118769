/** The workspaces of the installation: new ones, sign-ups to approve, and closed workspaces. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, useState, type ReactElement } from 'react';
import { counted, useChange, useList } from '../../api/api.ts';
import { useMayWrite, useSession } from '../../api/session.ts';
import { day } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button, MoreMenu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { useFilter, useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { FundingDialog } from './money/funding-dialog.tsx';
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx';
import { Fault } from '../../ui/states.tsx';

type Workspace = RecordOf<'/v1/operator/workspaces'>;
const STATUSES = ['in_review', 'active', 'closed'] as const;

export function Workspaces(): ReactElement {
  const { text, q, setText } = useSearchText();
  const [shown, setShown] = useFilter('status', ['all', ...STATUSES]);
  const [funded, setFunded] = useState<Workspace>();
  const [isCreating, setCreating] = useState(false);
  const mayWrite = useMayWrite('workspaces');
  const mayFund = useMayWrite('payments');
  const own = useSession().me.workspace.id;
  const list = useList(
    ['workspaces', shown, q],
    (api, page, signal) =>
      api.get('/v1/operator/workspaces', {
        query: { ...counted(page), ...(shown !== 'all' && { status: shown }), ...(q !== '' && { q }) },
        signal,
      }),
    { isLive: true },
  );
  const tabs = [
    { value: 'all', text: t('filter.all') } as const,
    ...STATUSES.map(value => ({ value, text: term('workspaceStatus', value) })),
  ];
  return (
    <Page
      title={t('nav.workspaces')}
      lead={t('workspaces.lead')}
      actions={
        mayWrite && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            {t('workspaces.new')}
          </Button>
        )
      }
    >
      <NameFilter text={text} onText={setText} />
      <Tabs label={t('filter.status')} tabs={tabs} chosen={shown} onChoose={setShown} />
      <ListTable
        of={list}
        empty={{ title: t('workspaces.none') }}
        label={t('nav.workspaces')}
        columns={useMemo(
          () => columns({ mayWrite, own, onFund: mayFund ? setFunded : undefined }),
          [mayWrite, mayFund, own],
        )}
        keyOf={workspace => workspace.id}
      />
      {isCreating && <NewWorkspaceDialog onClose={() => setCreating(false)} />}
      {funded && <FundingDialog workspace={funded} onClose={() => setFunded(undefined)} />}
    </Page>
  );
}

type Actions = { mayWrite: boolean; own: string; onFund: ((workspace: Workspace) => void) | undefined };

function columns({ mayWrite, own, onFund }: Actions): Column<Workspace>[] {
  return [
    {
      head: t('frame.workspace'),
      cell: ({ id, name, kind, currency, status, signed_up_from: from }) => (
        <>
          <strong className="breaks">{name}</strong>
          <div className="muted small">
            {term('kind', kind)}, {currency} <span className="breaks">{id}</span>
          </div>
          <Status of={status} group="workspaceStatus" />
          {from !== null && <div className="muted small">{t('workspaces.signedUp', { from })}</div>}
        </>
      ),
    },
    { head: t('workspaces.owner'), cell: ({ owner }) => <span className="breaks">{owner ?? '–'}</span>, isWide: true },
    { head: t('workspaces.since'), cell: ({ created_at: at }) => day(at), isWide: true },
    ...(mayWrite || onFund
      ? [
          {
            head: t('workspaces.change'),
            cell: (workspace: Workspace) => (
              <span className="row">
                {onFund && isFunded(workspace) && (
                  <Button aria-label={t('funding.openOf', { name: workspace.name })} onClick={() => onFund(workspace)}>
                    {t('funding.open')}
                  </Button>
                )}
                {mayWrite && workspace.id !== own && <Change workspace={workspace} />}
              </span>
            ),
            isFigure: true,
          },
        ]
      : []),
  ];
}

/** Venues earn: they have no wallet. */
function isFunded({ kind, status }: Workspace): boolean {
  return status === 'active' && (kind === 'brand' || kind === 'agency');
}

function Change({ workspace: { id, name, status } }: { workspace: Workspace }): ReactElement {
  const approve = useChange(async api => {
    await api.post('/v1/operator/workspaces/{id}/approve', { path: { id } });
    showToast({ text: t('workspaces.approved', { name }) });
  });
  const close = useChange(async api => {
    await api.post('/v1/operator/workspaces/{id}/close', { path: { id } });
    showToast({ text: t('workspaces.closed', { name }) });
  });
  return (
    <>
      {status !== 'active' && (
        <Button
          aria-label={t('workspaces.approveOf', { name })}
          isBusy={approve.isPending}
          onClick={() => approve.mutate()}
        >
          {t(status === 'closed' ? 'workspaces.reopen' : 'workspaces.approve')}
        </Button>
      )}
      {status !== 'closed' && (
        <MoreMenu>
          <Confirm
            label={t('workspaces.close')}
            title={t('workspaces.closeTitle', { name })}
            hint={t('workspaces.closeHint')}
            isBusy={close.isPending}
            error={close.error}
            onConfirm={() => close.mutate()}
          />
        </MoreMenu>
      )}
      <Fault error={approve.error} />
    </>
  );
}
