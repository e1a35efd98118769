/** The sandbox of a workspace: its clock and its simulated screens, and the way in. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import { useChange, useList } from '../../api/api.ts';
import { useMayWrite, useModeSwitch, useSession } from '../../api/session.ts';
import { percent } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { AddButton, Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { AddScreensDialog, SIMULATED_MAX } from './add-screens-dialog.tsx';
import { ClockCard } from './clock-card.tsx';

type Simulated = RecordOf<'/v1/sandbox/screens'>;

export function Sandbox(): ReactElement {
  const { me } = useSession();
  return (
    <Page title={t('nav.sandbox')} lead={t('sandbox.lead')}>
      {me.mode === 'test' ? (
        <>
          <ClockCard />
          <SimulatedScreens />
        </>
      ) : (
        <Closed />
      )}
    </Page>
  );
}

/** A person switches to the sandbox; a live key stays what it is. */
function Closed(): ReactElement {
  const modeSwitch = useModeSwitch();
  return modeSwitch ? (
    <EmptyState title={t('sandbox.closed')} hint={t('sandbox.closedHint')}>
      <Button kind="primary" onClick={modeSwitch.act}>
        {t(modeSwitch.text)}
      </Button>
    </EmptyState>
  ) : (
    <EmptyState title={t('sandbox.live')} hint={t('sandbox.liveHint')}>
      <Link to="/keys" className="button">
        {t('nav.keys')}
      </Link>
    </EmptyState>
  );
}

function SimulatedScreens(): ReactElement {
  const [isAdding, setAdding] = useState(false);
  const mayWrite = useMayWrite('sandbox');
  const list = useList(['sandbox screens'], (api, page, signal) =>
    api.get('/v1/sandbox/screens', { query: page, signal }),
  );
  const add = mayWrite && <AddButton text={t('sandbox.add')} onClick={() => setAdding(true)} />;
  return (
    <Card title={t('sandbox.screens')} note={t('sandbox.screensNote', { max: SIMULATED_MAX })}>
      {list.rows.length > 0 && add && <div className="row">{add}</div>}
      <ListTable
        of={list}
        empty={{ title: t('sandbox.none'), hint: t('sandbox.noneHint'), children: add }}
        label={t('sandbox.screens')}
        columns={useMemo(() => columns(mayWrite), [mayWrite])}
        keyOf={screen => screen.id}
      />
      <AddScreensDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Card>
  );
}

function columns(mayWrite: boolean): Column<Simulated>[] {
  return [
    {
      head: t('screens.screen'),
      cell: ({ label, city, venue_type: type }) => (
        <>
          <strong>{label}</strong>
          <div className="muted small">
            {city}, {term('venueType', type)}
          </div>
        </>
      ),
    },
    { head: t('upload.orientation'), cell: ({ orientation }) => term('orientation', orientation), isWide: true },
    { head: t('screens.adRatio'), cell: ({ ad_ratio: ratio }) => percent(ratio), isFigure: true, isWide: true },
    ...(mayWrite
      ? [{ head: t('people.change'), cell: (screen: Simulated) => <Remove screen={screen} />, isFigure: true }]
      : []),
  ];
}

function Remove({ screen: { id, label: name } }: { screen: Simulated }): ReactElement {
  const remove = useChange(api => api.delete('/v1/sandbox/screens/{id}', { path: { id } }));
  return (
    <Confirm
      label={t('sandbox.remove')}
      title={t('sandbox.removeTitle', { name })}
      hint={t('sandbox.removeHint')}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    />
  );
}
