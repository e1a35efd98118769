/** The API keys of a workspace: person and expiry of each; new ones are shown once. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useChange, useList } from '../../api/api.ts';
import { useMayWrite, useSession, type Mode } from '../../api/session.ts';
import { moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { AddButton, Button, MoreMenu } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { NewSecret, ShownOnce } from '../../ui/shown-once.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { Fault } from '../../ui/states.tsx';

type Key = RecordOf<'/v1/keys'>;
type NewKey = { name: string; access: 'read_write' | 'read_only'; mode: Mode };

export function Keys(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const mayWrite = useMayWrite('keys');
  const list = useList(['keys'], (api, page, signal) => api.get('/v1/keys', { query: page, signal }));
  return (
    <Page
      title={t('nav.keys')}
      lead={t('keys.lead')}
      actions={mayWrite && <AddButton text={t('keys.make')} onClick={() => setOpen(true)} />}
    >
      <ListTable
        of={list}
        empty={{ title: t('keys.none') }}
        label={t('nav.keys')}
        columns={columns(mayWrite)}
        keyOf={key => key.id}
      />
      <MakeDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Page>
  );
}

function columns(mayWrite: boolean): Column<Key>[] {
  return [
    {
      head: t('keys.key'),
      cell: ({ name, display }) => (
        <>
          <strong>{name === '' ? t('keys.unnamed') : name}</strong>
          <div className="muted small">
            <code>{display}</code>
          </div>
        </>
      ),
    },
    {
      head: t('keys.actsAs'),
      cell: ({ user }) => (
        <>
          {user.email}
          <div className="muted small">{term('role', user.role)}</div>
        </>
      ),
      isWide: true,
    },
    { head: t('keys.reach'), cell: ({ access, mode }) => `${term('access', access)} · ${term('mode', mode)}` },
    {
      head: t('keys.expires'),
      cell: ({ expires_at: at }) => <span className="small">{moment(at)}</span>,
      isBelow: true,
    },
    {
      head: t('keys.lastUsed'),
      cell: ({ last_used_at: at }) => <span className="small">{at === null ? t('keys.neverUsed') : moment(at)}</span>,
      isBelow: true,
    },
    {
      head: t('keys.change'),
      cell: ({ id }) =>
        mayWrite && (
          <span className="row">
            <Rotate id={id} />
            <Revoke id={id} />
          </span>
        ),
      isFigure: true,
    },
  ];
}

/** The old key works for a day longer. */
function Rotate({ id }: { id: string }): ReactElement {
  return (
    <NewSecret
      label={t('keys.rotate')}
      title={t('keys.rotateTitle')}
      hint={t('keys.rotateHint')}
      replace={async api => (await api.post('/v1/keys/{id}/rotate', { path: { id } })).key}
      lead={t('keys.once')}
      copyText={t('keys.copy')}
    />
  );
}

function Revoke({ id }: { id: string }): ReactElement {
  const revoke = useChange(api => api.delete('/v1/keys/{id}', { path: { id } }));
  return (
    <MoreMenu>
      <Confirm
        label={t('keys.revoke')}
        title={t('keys.revokeTitle')}
        hint={t('keys.revokeHint')}
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
      />
    </MoreMenu>
  );
}

function MakeDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const { me } = useSession();
  const make = useChange((api, body: NewKey) => api.post('/v1/keys', { body }));
  const close = () => {
    make.reset();
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    make.mutate({
      name: String(fields.get('name')),
      access: fields.get('access') === 'read_only' ? 'read_only' : 'read_write',
      mode: fields.get('mode') === 'test' ? 'test' : 'live',
    });
  };
  return (
    <Dialog title={t('keys.make')} isOpen={isOpen} onClose={close}>
      {make.data ? (
        <ShownOnce lead={t('keys.once')} secret={make.data.key} copyText={t('keys.copy')} />
      ) : (
        <form className="stack" onSubmit={submit}>
          <Field label={t('keys.name')} name="name" maxLength={200} hint={t('keys.nameHint')} />
          <SelectField label={t('keys.access')} name="access">
            <option value="read_write">{term('access', 'read_write')}</option>
            <option value="read_only">{term('access', 'read_only')}</option>
          </SelectField>
          <SelectField label={t('keys.mode')} name="mode">
            {me.mode === 'live' && <option value="live">{term('mode', 'live')}</option>}
            <option value="test">{term('mode', 'test')}</option>
          </SelectField>
          <Fault error={make.error} />
          <footer className="dialog-foot">
            <Button kind="primary" type="submit" isBusy={make.isPending}>
              {t('keys.make')}
            </Button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}
