/**
 * A person sets a new password by a link. The token is behind the `#` of the address, which no server sees. It does not
 * sign the person in: the following sign-in asks for the second factor, if there is one.
 */
import { MarqueeError } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, messageOf, openApi } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { PASSWORD_LENGTH_MIN } from './password-length.ts';
import { SignInFrame } from './sign-in-frame.tsx';

export function Reset(): ReactElement {
  const [isDone, setDone] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const isGone = fault instanceof MarqueeError && fault.is('link_expired', 'not_found');
  if (isDone)
    return (
      <SignInFrame title={t('reset.title')} lead={t('reset.done')}>
        <a className="button is-primary" href="/console">
          {t('accept.toSignIn')}
        </a>
      </SignInFrame>
    );
  if (isGone)
    return (
      <SignInFrame title={t('reset.title')} lead={t('reset.gone')}>
        <a className="button is-primary" href="/console/forgot">
          {t('forgot.title')}
        </a>
      </SignInFrame>
    );
  return (
    <SignInFrame title={t('reset.title')} lead={t('reset.lead')}>
      <NewPassword fault={fault} onFault={setFault} onDone={() => setDone(true)} />
    </SignInFrame>
  );
}

type NewPasswordOptions = { fault: unknown; onFault: (fault: unknown) => void; onDone: () => void };

function NewPassword({ fault, onFault, onDone }: NewPasswordOptions): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    setBusy(true);
    try {
      const body = { token: location.hash.slice(1), password };
      await openApi({ attemptsMax: 1 }).post('/v1/password-resets/use', { body });
      onDone();
    } catch (error) {
      onFault(error);
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      <Field
        label={t('accept.password')}
        hint={t('accept.passwordHint', { length: PASSWORD_LENGTH_MIN })}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH_MIN}
        maxLength={200}
        required
        autoFocus
        error={fault === undefined ? undefined : (fieldErrors(fault)['password'] ?? messageOf(fault))}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('reset.submit')}
      </Button>
    </form>
  );
}
