/** The people of all workspaces, and resets for lost passwords and second factors. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, useState, type ReactElement } from 'react';
import { counted, useList } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { ResetDialog } from './reset-dialog.tsx';

type Person = RecordOf<'/v1/operator/people'>;

export function SignIns(): ReactElement {
  const { text, q, setText } = useSearchText();
  const [resetting, setResetting] = useState<Person>();
  const mayWrite = useMayWrite('workspaces');
  const list = useList(['operator-people', q], (api, page, signal) =>
    api.get('/v1/operator/people', { query: { ...counted(page), ...(q !== '' && { q }) }, signal }),
  );
  return (
    <Page title={t('nav.signIns')} lead={t('signIns.lead')}>
      <NameFilter text={text} onText={setText} label={t('signIns.search')} />
      <ListTable
        of={list}
        empty={{ title: t('signIns.none') }}
        label={t('nav.signIns')}
        columns={useMemo(() => columns(mayWrite ? setResetting : undefined), [mayWrite])}
        keyOf={person => person.id}
      />
      {resetting && <ResetDialog person={resetting} onClose={() => setResetting(undefined)} />}
    </Page>
  );
}

function columns(onReset: ((person: Person) => void) | undefined): Column<Person>[] {
  return [
    {
      head: t('signIns.person'),
      cell: ({ email, name, has_password: hasPassword, has_second_factor: hasFactor }) => (
        <>
          <strong className="breaks">{email}</strong>
          {name !== '' && <div className="small breaks">{name}</div>}
          <div className="muted small">
            {t(hasFactor ? 'signIns.withFactor' : hasPassword ? 'signIns.withPassword' : 'signIns.withoutPassword')}
          </div>
        </>
      ),
    },
    {
      head: t('signIns.seats'),
      cell: ({ seats }) => (
        <ul>
          {seats.map(({ workspace_id: id, workspace_name: name, role }) => (
            <li key={id} className="breaks">
              {name} <span className="muted small">{term('role', role)}</span>
            </li>
          ))}
        </ul>
      ),
      isWide: true,
    },
    ...(onReset
      ? [
          {
            head: t('signIns.change'),
            cell: (person: Person) =>
              person.has_password && (
                <Button aria-label={t('signIns.resetOf', { email: person.email })} onClick={() => onReset(person)}>
                  {t('signIns.reset')}
                </Button>
              ),
            isFigure: true,
          },
        ]
      : []),
  ];
}
