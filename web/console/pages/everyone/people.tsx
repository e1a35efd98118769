/** The people of a workspace: roles, invitations, and removing a person. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { useChange, useList } from '../../api/api.ts';
import { useMayWrite, useSession } from '../../api/session.ts';
import { moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { AddButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { rolesToGive, type Role } from './roles.ts';
import { Fault } from '../../ui/states.tsx';

type Member = RecordOf<'/v1/members'>;
type Invitation = RecordOf<'/v1/invitations'>;

export function People(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const { me } = useSession();
  const mayWrite = useMayWrite('members') && me.mode === 'live'; // a sandbox has no people of its own
  const list = useList(['members'], (api, page, signal) => api.get('/v1/members', { query: page, signal }));
  return (
    <Page
      title={t('nav.people')}
      lead={t('people.lead')}
      actions={mayWrite && <AddButton text={t('people.invite')} onClick={() => setOpen(true)} />}
    >
      <ListTable
        of={list}
        empty={{ title: t('people.none') }}
        label={t('nav.people')}
        columns={columns(me.person.user_id, mayWrite ? rolesToGive(me.role) : [])}
        keyOf={member => member.id}
      />
      <Invitations mayWrite={mayWrite} />
      <InviteDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Page>
  );
}

/** @param mine roles that the person may give; none for a person who may change no seat */
function columns(self: string, mine: readonly Role[]): Column<Member>[] {
  const isMine = ({ role }: Member) => mine.includes(role);
  return [
    {
      head: t('people.person'),
      cell: ({ id, name, email }) => (
        <>
          <strong className="breaks">{name || email}</strong>{' '}
          {id === self && <span className="tag">{t('people.you')}</span>}
          {name !== '' && <div className="muted small breaks">{email}</div>}
        </>
      ),
    },
    {
      head: t('people.role'),
      cell: member =>
        isMine(member) && member.id !== self ? <RoleChoice member={member} roles={mine} /> : term('role', member.role),
    },
    {
      head: t('people.joined'),
      cell: ({ joined_at: at }) => <span className="small">{moment(at)}</span>,
      isWide: true,
    },
    {
      head: t('people.change'),
      cell: member => isMine(member) && member.id !== self && <Remove member={member} />,
      isFigure: true,
    },
  ];
}

function RoleChoice({
  member: { id, name, email, role },
  roles,
}: {
  member: Member;
  roles: readonly Role[];
}): ReactElement {
  const change = useSave((api, chosen: Role) =>
    api.patch('/v1/members/{id}', { path: { id }, body: { role: chosen } }),
  );
  return (
    <>
      <select
        className="quiet-select"
        aria-label={t('people.roleOf', { name: name || email })}
        value={change.isPending ? change.variables : role}
        disabled={change.isPending}
        onChange={event => change.mutate(roles.find(one => one === event.target.value)!)}
      >
        {roles.map(one => (
          <option key={one} value={one}>
            {term('role', one)}
          </option>
        ))}
      </select>
      <Fault error={change.error} />
    </>
  );
}

function Remove({ member: { id, name, email } }: { member: Member }): ReactElement {
  const remove = useChange(api => api.delete('/v1/members/{id}', { path: { id } }));
  return (
    <Confirm
      label={t('people.remove')}
      title={t('people.removeTitle', { name: name || email })}
      hint={t('people.removeHint')}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    />
  );
}

function Invitations({ mayWrite }: { mayWrite: boolean }): ReactElement {
  const list = useList(['invitations'], (api, page, signal) =>
    api.get('/v1/invitations', { query: { ...page, status: 'open' }, signal }),
  );
  return (
    <Card title={t('people.invitations')} note={t('people.invitationsNote')}>
      <ListTable
        of={list}
        empty={{ title: t('people.noInvitation') }}
        lines={2}
        label={t('people.invitations')}
        columns={invitationColumns(mayWrite)}
        keyOf={invitation => invitation.id}
      />
    </Card>
  );
}

function invitationColumns(mayWrite: boolean): Column<Invitation>[] {
  return [
    {
      head: t('signIn.email'),
      cell: ({ email, role }) => (
        <>
          <span className="breaks">{email}</span>
          <div className="muted small">{term('role', role)}</div>
        </>
      ),
    },
    {
      head: t('people.until'),
      cell: ({ expires_at: at }) => <span className="small">{moment(at)}</span>,
      isWide: true,
    },
    { head: t('people.change'), cell: ({ id }) => mayWrite && <Withdraw id={id} />, isFigure: true },
  ];
}

function Withdraw({ id }: { id: string }): ReactElement {
  const withdraw = useChange(api => api.delete('/v1/invitations/{id}', { path: { id } }));
  return (
    <Confirm
      label={t('people.withdraw')}
      title={t('people.withdrawTitle')}
      hint={t('people.withdrawHint')}
      isBusy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate()}
    />
  );
}
