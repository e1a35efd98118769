/** The first page: who comes with a key signs in. */
import { useState, type FormEvent, type ReactElement } from 'react';
import { messageOf, openApi } from '../api/api.ts';
import { t } from '../text/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Mark } from '../ui/icon.tsx';
import { Preferences } from './preferences.tsx';

export type SignInOptions = { onKey: (key: string) => void; error?: unknown };

export function SignIn({ onKey, error }: SignInOptions): ReactElement {
  const [fault, setFault] = useState(error === undefined ? undefined : messageOf(error));
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key')).trim();
    setBusy(true);
    try {
      await openApi({ key }).get('/v1/me');
      onKey(key);
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <div className="sign-in">
      <main className="sign-in-card">
        <Mark />
        <h1>{t('signIn.title')}</h1>
        <p className="muted">{t('signIn.lead')}</p>
        <form className="stack" onSubmit={event => void submit(event)}>
          <Field label={t('signIn.key')} name="key" type="password" autoComplete="off" required error={fault} />
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('signIn.submit')}
          </Button>
        </form>
        <p className="muted small">{t('signIn.hint')}</p>
      </main>
      <footer className="sign-in-foot">
        <Preferences />
      </footer>
    </div>
  );
}
