/** The first page: people sign in with their address and password, or with a key behind a second link. */
import { MarqueeError } from '@marquee/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import { messageOf, openApi, type Credential } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { useOidcOutcome } from './oidc-outcome.ts';
import { SignInFrame } from './sign-in-frame.tsx';

export type SignInOptions = {
  onSignIn: (credential: Credential) => void;
  /** Whether a key was refused, so that its form is shown again. */
  usesKey: boolean;
  /** Why the session has ended. */
  reason: MarqueeError | undefined;
};

export function SignIn({ onSignIn, usesKey, reason }: SignInOptions): ReactElement {
  const [isByKey, setByKey] = useState(usesKey);
  // A visit without key or session is refused as well, which is nothing to tell a person.
  const told = useOidcOutcome() ?? (reason && !reason.is('missing_key') ? messageOf(reason) : undefined);
  return (
    <SignInFrame title={t('signIn.title')} lead={t('signIn.lead')}>
      {isByKey ? (
        <KeyForm onSignIn={onSignIn} told={told} />
      ) : (
        <PasswordForm onSignIn={() => onSignIn({})} told={told} />
      )}
      {!isByKey && (
        <>
          <a href="/console/forgot" className="small">
            {t('forgot.title')}
          </a>
          <OtherWays />
        </>
      )}
      <button type="button" className="text-button small" onClick={() => setByKey(!isByKey)}>
        {t(isByKey ? 'signIn.byPassword' : 'signIn.byKey')}
      </button>
    </SignInFrame>
  );
}

/** Beside a password: the OpenID provider if one is configured, and sign-up if the operator has opened it. */
function OtherWays(): ReactElement | null {
  const { data: options } = useQuery({
    queryKey: ['sign-in options'],
    queryFn: () => openApi().get('/v1/sessions/options'),
    staleTime: Infinity,
  });
  return (
    <>
      {options?.oidc === true && (
        <a className="button" href="/console/oidc/start">
          {t('oidc.signIn')}
        </a>
      )}
      {options !== undefined && options.sign_up.length > 0 && <a href="/console/sign-up">{t('signIn.signUp')}</a>}
    </>
  );
}

type FormOptions<Answer> = { onSignIn: (answer: Answer) => void; told: string | undefined };

function PasswordForm({ onSignIn, told }: FormOptions<void>): ReactElement {
  const [fault, setFault] = useState<string>();
  const [needsCode, setNeedsCode] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const code = String(fields.get('code') ?? '').trim();
    setBusy(true);
    try {
      const body = { email: String(fields.get('email')).trim(), password: String(fields.get('password')) };
      // Without retries: a person who has to wait sees that, instead of an idle form.
      await openApi({ attemptsMax: 1 }).post('/v1/sessions', { body: { ...body, ...(code !== '' && { code }) } });
      onSignIn();
    } catch (error) {
      const isHalfway = error instanceof MarqueeError && error.is('second_factor_required');
      if (isHalfway) setNeedsCode(true);
      setFault(isHalfway ? undefined : messageOf(error));
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      {told !== undefined && fault === undefined && (
        <p className="notice is-wait" role="status">
          {told}
        </p>
      )}
      <Field label={t('signIn.email')} name="email" type="email" autoComplete="username" required autoFocus />
      <Field
        label={t('signIn.password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={needsCode ? undefined : fault}
      />
      {needsCode && (
        <Field
          label={t('signIn.code')}
          hint={t('signIn.codeHint')}
          name="code"
          autoComplete="one-time-code"
          maxLength={40}
          required
          autoFocus
          error={fault}
        />
      )}
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
}

function KeyForm({ onSignIn, told }: FormOptions<Credential>): ReactElement {
  const [fault, setFault] = useState(told);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key')).trim();
    setBusy(true);
    try {
      await openApi({ key }).get('/v1/me');
      onSignIn({ key });
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      <Field
        label={t('signIn.key')}
        name="key"
        type="password"
        autoComplete="off"
        required
        error={fault}
        hint={t('signIn.hint')}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
}
