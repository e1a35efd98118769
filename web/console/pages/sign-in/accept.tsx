/**
 * An invited person joins here: they see where they will work and as what, choose a name and a password, and are in.
 * The token is behind the `#` of the address, which no server sees, and is worth nothing once it was accepted.
 */
import { MarqueeError } from '@marquee/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, messageOf, openApi } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Fault, Loading } from '../../ui/states.tsx';
import { enterConsole } from './enter.ts';
import { PASSWORD_LENGTH_MIN } from './password-length.ts';
import { SignInFrame } from './sign-in-frame.tsx';

export function Accept(): ReactElement {
  const token = location.hash.slice(1);
  const { data: invitation, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => openApi({ attemptsMax: 1 }).post('/v1/invitations/preview', { body: { token } }),
    staleTime: Infinity,
  });
  if (error) {
    const isGone = error instanceof MarqueeError && (error.is('invitation_ended') || error.is('not_found'));
    return (
      <SignInFrame title={t('accept.title')} lead={t(isGone ? 'accept.gone' : 'accept.failed')}>
        <p className="notice is-bad" role="alert">
          {messageOf(error)}
        </p>
        <a href="/console">{t('accept.toSignIn')}</a>
      </SignInFrame>
    );
  }
  if (!invitation)
    return (
      <SignInFrame title={t('accept.title')} lead="">
        <Loading />
      </SignInFrame>
    );
  const { workspace, role, email } = invitation;
  return (
    <SignInFrame
      title={t('accept.join', { workspace: workspace.name })}
      lead={t('accept.lead', { email, role: term('role', role) })}
    >
      <JoinForm token={token} email={email} signsIn={invitation.signs_in} />
    </SignInFrame>
  );
}

type JoinFormOptions = {
  token: string;
  email: string;
  /** Whether the address has a password already, which then shows that it is the same person. */
  signsIn: boolean;
};
type Given = { name?: string; password: string };

function JoinForm({ token, email, signsIn }: JoinFormOptions): ReactElement {
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const given: Given = {
      password: String(fields.get('password')),
      ...(!signsIn && { name: String(fields.get('name')) }),
    };
    setBusy(true);
    try {
      await join(token, email, given);
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  const faults = fieldErrors(fault);
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      {!signsIn && (
        <Field
          label={t('accept.name')}
          name="name"
          autoComplete="name"
          maxLength={200}
          required
          autoFocus
          error={faults['name']}
        />
      )}
      <Field
        label={t(signsIn ? 'accept.ownPassword' : 'accept.password')}
        hint={t(signsIn ? 'accept.ownPasswordHint' : 'accept.passwordHint', { length: PASSWORD_LENGTH_MIN })}
        name="password"
        type="password"
        autoComplete={signsIn ? 'current-password' : 'new-password'}
        {...(!signsIn && { minLength: PASSWORD_LENGTH_MIN })}
        maxLength={200}
        required
        error={faults['password']}
      />
      {fault !== undefined && Object.keys(faults).length === 0 && <Fault error={fault} />}
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('accept.submit')}
      </Button>
    </form>
  );
}

/**
 * Accepts, signs in and opens the console. A person who cannot be signed in now is a member all the same, and signs in
 * there.
 */
async function join(token: string, email: string, { name, password }: Given): Promise<void> {
  const api = openApi({ attemptsMax: 1 });
  await api.post('/v1/invitations/accept', { body: { token, password, ...(name !== undefined && { name }) } });
  await api.post('/v1/sessions', { body: { email, password } }).catch(() => undefined);
  enterConsole();
}
