/** The own account: name, password, second factor, and the browsers in which the person is signed in. */
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange, useRead } from '../../api/api.ts';
import { mayRead, useSession } from '../../api/session.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Answered, EmptyState, Fault } from '../../ui/states.tsx';
import { PASSWORD_LENGTH_MIN } from '../sign-in/password-length.ts';
import { Alerts } from './alerts.tsx';
import { Identity } from './identity.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export function Account(): ReactElement {
  const { key } = useSession().me;
  return key === null ? <OwnAccount /> : <NoAccount />;
}

/** A key belongs to a program, also if a person signs in with it. */
function NoAccount(): ReactElement {
  return (
    <Page title={t('account.title')}>
      <EmptyState title={t('account.none')} hint={t('account.noneHint')} />
    </Page>
  );
}

function OwnAccount(): ReactElement {
  const session = useSession();
  const account = useRead(['account'], (api, signal) => api.get('/v1/account', { signal }));
  return (
    <Page title={t('account.title')} lead={account.data?.email}>
      <Answered of={account}>
        {known => (
          <div className="cards">
            <Card title={t('account.who')}>
              <NameForm name={known.name} />
            </Card>
            {known.has_password && (
              <>
                <Card title={t('signIn.password')} note={t('account.passwordNote')}>
                  <PasswordForm email={known.email} />
                </Card>
                <Card title={t('factor.title')}>
                  <SecondFactor factor={known.second_factor} />
                </Card>
              </>
            )}
            <Identity account={known} />
            {mayRead(session, 'alerts') && <Alerts />}
            <Sessions />
          </div>
        )}
      </Answered>
    </Page>
  );
}

function NameForm({ name }: { name: string }): ReactElement {
  const queries = useQueryClient();
  const rename = useChange(async (api, given: string) => {
    const answer = await api.patch('/v1/account', { body: { name: given } });
    await queries.invalidateQueries({ queryKey: ['me'] }); // the frame shows the name
    return answer;
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    rename.mutate(String(new FormData(event.currentTarget).get('name')));
  };
  return (
    <form className="stack" aria-label={t('account.who')} onSubmit={submit}>
      <Field
        label={t('accept.name')}
        name="name"
        defaultValue={name}
        maxLength={200}
        autoComplete="name"
        error={rename.error ? messageOf(rename.error) : undefined}
      />
      <Done isDone={rename.isSuccess} text={t('account.saved')}>
        <Button type="submit" isBusy={rename.isPending}>
          {t('dialog.save')}
        </Button>
      </Done>
    </form>
  );
}

function PasswordForm({ email }: { email: string }): ReactElement {
  const change = useChange((api, body: { current_password: string; password: string }) =>
    api.put('/v1/account/password', { body }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    change.mutate(
      { current_password: String(fields.get('current')), password: String(fields.get('password')) },
      { onSuccess: () => form.reset() },
    );
  };
  const faults = fieldErrors(change.error);
  return (
    <form className="stack" aria-label={t('account.changePassword')} onSubmit={submit}>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label={t('account.current')}
        name="current"
        type="password"
        autoComplete="current-password"
        required
        error={faults['current_password']}
      />
      <Field
        label={t('account.new')}
        hint={t('accept.passwordHint', { length: PASSWORD_LENGTH_MIN })}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH_MIN}
        maxLength={200}
        required
        error={faults['password']}
      />
      {Object.keys(faults).length === 0 && <Fault error={change.error} />}
      <Done isDone={change.isSuccess} text={t('account.passwordChanged')}>
        <Button type="submit" isBusy={change.isPending}>
          {t('account.changePassword')}
        </Button>
      </Done>
    </form>
  );
}

type DoneOptions = { isDone: boolean; text: string; children: ReactElement };

/** A button with a note of its effect. */
function Done({ isDone, text, children }: DoneOptions): ReactElement {
  return (
    <div className="row">
      {children}
      <span role="status" className="muted small">
        {isDone && text}
      </span>
    </div>
  );
}
