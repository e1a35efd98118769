/** A link of the demo: it signs in and opens the console, or says why not. Its token stands where no server sees it. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { messageOf, openApi } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Loading } from '../../ui/states.tsx';
import { enterConsole } from './enter.ts';
import { SignInFrame } from './sign-in-frame.tsx';

export function SignInLink(): ReactElement {
  const { data: signedIn, error } = useQuery({
    queryKey: ['link'],
    queryFn: () => openApi({ attemptsMax: 1 }).post('/v1/sessions/link', { body: { token: location.hash.slice(1) } }),
    staleTime: Infinity,
  });
  useEffect(() => {
    if (signedIn) enterConsole();
  }, [signedIn]);
  if (error)
    return (
      <SignInFrame title={t('signIn.title')} lead={t('accept.gone')}>
        <p className="notice is-bad" role="alert">
          {messageOf(error)}
        </p>
        <a href="/console">{t('accept.toSignIn')}</a>
      </SignInFrame>
    );
  return (
    <SignInFrame title={t('signIn.title')} lead={signedIn ? t('signIn.as', { name: signedIn.person.name }) : ''}>
      <Loading />
    </SignInFrame>
  );
}
