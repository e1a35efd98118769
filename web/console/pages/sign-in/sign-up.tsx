/** Sign-up: a workspace that waits for the operator, and the key that signs its owner in. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, openApi } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { CurrencyField } from '../../ui/currency-field.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Answered, Fault } from '../../ui/states.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

type SignUpBody = OperationOf<'/v1/sign-up', 'post'>['requestBody']['content']['application/json'];
type Kind = SignUpBody['kind'];
type Made = AnswerOf<OperationOf<'/v1/sign-up', 'post'>>;

export function SignUp(): ReactElement {
  const [made, setMade] = useState<Made>();
  const options = useQuery({
    queryKey: ['sign-in options'],
    queryFn: () => openApi().get('/v1/sessions/options'),
    staleTime: Infinity,
  });
  if (made)
    return (
      <SignInFrame title={t('signUp.done')} lead={t('signUp.doneLead', { name: made.workspace.name })}>
        {made.key && <ShownOnce lead={t('signUp.key')} secret={made.key.key} copyText={t('signUp.copy')} />}
        <a href="/console">{t('accept.toSignIn')}</a>
      </SignInFrame>
    );
  return (
    <SignInFrame
      title={t('signUp.title')}
      lead={t(options.data?.sign_up.length === 0 ? 'signUp.closed' : 'signUp.lead')}
    >
      <Answered of={options}>
        {({ sign_up: kinds }) => kinds.length > 0 && <SignUpForm kinds={kinds} onMade={setMade} />}
      </Answered>
      <a href="/console">{t('accept.toSignIn')}</a>
    </SignInFrame>
  );
}

type SignUpFormOptions = { kinds: readonly Kind[]; onMade: (made: Made) => void };

function SignUpForm({ kinds, onMade }: SignUpFormOptions): ReactElement {
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name)).trim();
    const body: SignUpBody = {
      kind: kinds.find(kind => kind === text('kind')) ?? kinds[0]!,
      workspace_name: text('workspace_name'),
      currency: text('currency'),
      email: text('email'),
      name: text('name'),
    };
    setBusy(true);
    try {
      // Without retries: each attempt counts, and a person who has to wait sees that.
      onMade(await openApi({ attemptsMax: 1 }).post('/v1/sign-up', { body }));
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  const faults = fieldErrors(fault);
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      <SelectField label={t('signUp.kind')} name="kind" error={faults['kind']}>
        {kinds.map(kind => (
          <option key={kind} value={kind}>
            {term('kind', kind)}
          </option>
        ))}
      </SelectField>
      <Field
        label={t('signUp.workspace')}
        name="workspace_name"
        autoComplete="organization"
        maxLength={200}
        required
        error={faults['workspace_name']}
      />
      <CurrencyField hint={t('signUp.currencyHint')} error={faults['currency']} />
      <Field
        label={t('signIn.email')}
        name="email"
        type="email"
        autoComplete="email"
        required
        error={faults['email']}
      />
      <Field label={t('accept.name')} name="name" autoComplete="name" maxLength={200} error={faults['name']} />
      {fault !== undefined && Object.keys(faults).length === 0 && <Fault error={fault} />}
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('signUp.submit')}
      </Button>
    </form>
  );
}
