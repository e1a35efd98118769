/** The account of an OpenID provider that signs the person in: linking it, with the password, and letting it go. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange, useRead } from '../../api/api.ts';
import { moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { useOidcOutcome } from '../sign-in/oidc-outcome.ts';

type Account = AnswerOf<OperationOf<'/v1/account', 'get'>>;

/** Empty if the installation has no provider and the person no account of one. */
export function Identity({
  account: { identity, has_password: hasPassword },
}: {
  account: Account;
}): ReactElement | null {
  const outcome = useOidcOutcome();
  const { data: options } = useRead(['sign-in options'], (api, signal) => api.get('/v1/sessions/options', { signal }));
  if (options?.oidc !== true && identity === null) return null;
  return (
    <Card title={t('identity.title')}>
      {outcome !== undefined && (
        <p className="notice is-wait" role="status">
          {outcome}
        </p>
      )}
      {identity ? (
        <>
          <p className="breaks">
            {t('identity.linked', { email: identity.email || identity.issuer, at: moment(identity.linked_at) })}
          </p>
          {hasPassword && <Remove />}
        </>
      ) : (
        hasPassword && <LinkForm />
      )}
    </Card>
  );
}

function LinkForm(): ReactElement {
  const link = useChange((api, password: string) =>
    api.post('/v1/account/identity', { body: { current_password: password } }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    link.mutate(password, { onSuccess: ({ url }) => location.assign(url) });
  };
  return (
    <form className="stack" aria-label={t('identity.title')} onSubmit={submit}>
      <p className="muted">{t('identity.lead')}</p>
      <Field
        label={t('account.current')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={link.error ? (fieldErrors(link.error)['current_password'] ?? messageOf(link.error)) : undefined}
      />
      <Button kind="primary" type="submit" isBusy={link.isPending}>
        {t('identity.link')}
      </Button>
    </form>
  );
}

function Remove(): ReactElement {
  const remove = useChange(api => api.delete('/v1/account/identity'));
  return (
    <Confirm
      label={t('identity.remove')}
      title={t('identity.removeTitle')}
      hint={t('identity.removeHint')}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    />
  );
}
