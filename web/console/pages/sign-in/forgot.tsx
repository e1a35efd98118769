/**
 * A person who has forgotten the password asks for a link by mail. The answer is the same for every address, so the
 * page says what happens if the address is known.
 */
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import { messageOf, openApi } from '../../api/api.ts';
import { currentLanguage, t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Loading } from '../../ui/states.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

export function Forgot(): ReactElement {
  const { data: options, error } = useQuery({
    queryKey: ['sign-in options'],
    queryFn: () => openApi().get('/v1/sessions/options'),
    staleTime: Infinity,
  });
  return (
    <SignInFrame title={t('forgot.title')} lead={t(options?.reset_by_mail === false ? 'forgot.noMail' : 'forgot.lead')}>
      {error && (
        <p className="notice is-bad" role="alert">
          {messageOf(error)}
        </p>
      )}
      {options === undefined && !error && <Loading lines={2} />}
      {options?.reset_by_mail === true && <AskForm />}
      <a href="/console">{t('accept.toSignIn')}</a>
    </SignInFrame>
  );
}

function AskForm(): ReactElement {
  const [asked, setAsked] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    setBusy(true);
    try {
      const body = { email, language: currentLanguage() };
      await openApi({ attemptsMax: 1 }).post('/v1/password-resets', { body });
      setAsked(email);
    } catch (error) {
      setFault(messageOf(error));
    }
    setBusy(false);
  };
  if (asked !== undefined)
    return (
      <p className="notice is-good" role="status">
        {t('forgot.sent', { email: asked })}
      </p>
    );
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      <Field
        label={t('signIn.email')}
        name="email"
        type="email"
        autoComplete="username"
        required
        autoFocus
        error={fault}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('forgot.send')}
      </Button>
    </form>
  );
}
