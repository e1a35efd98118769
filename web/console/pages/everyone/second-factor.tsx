/**
 * The second factor: begun with the password, read by an app from a picture that is drawn here, shown to work with a
 * code, and removed with one. The recovery codes are shown once.
 */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { renderSVG } from 'uqr';
import { messageOf, useChange } from '../../api/api.ts';
import { moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';

type OwnAccount = AnswerOf<OperationOf<'/v1/account', 'get'>>;

export function SecondFactor({ factor }: { factor: OwnAccount['second_factor'] }): ReactElement {
  // The open dialog: after a factor was set up, its dialog still shows the recovery codes.
  const [open, setOpen] = useState<'setup' | 'removal'>();
  const close = () => setOpen(undefined);
  return (
    <div className="stack">
      <p>
        {factor ? t('factor.on', { since: moment(factor.since), count: factor.recovery_codes_left }) : t('factor.off')}
      </p>
      <div className="row">
        <Button onClick={() => setOpen(factor ? 'removal' : 'setup')}>
          {t(factor ? 'factor.remove' : 'factor.begin')}
        </Button>
      </div>
      {open === 'setup' && <Setup onClose={close} />}
      {open === 'removal' && <Removal onClose={close} />}
    </div>
  );
}

function Setup({ onClose }: { onClose: () => void }): ReactElement {
  const begin = useChange((api, password: string) =>
    api.post('/v1/account/second-factor', { body: { current_password: password } }),
  );
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Dialog title={t('factor.begin')} isOpen onClose={onClose}>
      {codes ? (
        <ShownOnce lead={t('factor.codes')} secret={codes.join('\n')} copyText={t('factor.copyCodes')} />
      ) : begin.data ? (
        <Confirmation {...begin.data} onCodes={setCodes} />
      ) : (
        <SecretForm
          field={{ label: t('account.current'), type: 'password', autoComplete: 'current-password' }}
          submit={t('factor.next')}
          hint={t('factor.lead')}
          isBusy={begin.isPending}
          error={begin.error}
          onGiven={password => begin.mutate(password)}
        />
      )}
    </Dialog>
  );
}

type ConfirmationOptions = { secret: string; url: string; onCodes: (codes: readonly string[]) => void };

function Confirmation({ secret, url, onCodes }: ConfirmationOptions): ReactElement {
  const [picture] = useState(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(url))}`);
  const confirm = useChange(async (api, code: string) => {
    const { recovery_codes: codes } = await api.post('/v1/account/second-factor/confirm', { body: { code } });
    onCodes(codes);
  });
  return (
    <div className="stack">
      <p>{t('factor.scan')}</p>
      <img className="pair-picture" src={picture} alt={t('pair.picture')} />
      <p className="muted small">{t('factor.type')}</p>
      <p className="secret">{secret}</p>
      <SecretForm
        field={{ label: t('signIn.code'), autoComplete: 'one-time-code' }}
        submit={t('factor.confirm')}
        isBusy={confirm.isPending}
        error={confirm.error}
        onGiven={code => confirm.mutate(code)}
      />
    </div>
  );
}

function Removal({ onClose }: { onClose: () => void }): ReactElement {
  const remove = useChange((api, code: string) => api.post('/v1/account/second-factor/remove', { body: { code } }));
  return (
    <Dialog title={t('factor.remove')} isOpen onClose={onClose}>
      <SecretForm
        field={{ label: t('signIn.code'), autoComplete: 'one-time-code' }}
        submit={t('factor.remove')}
        hint={t('signIn.codeHint')}
        isBusy={remove.isPending}
        error={remove.error}
        onGiven={code => remove.mutate(code, { onSuccess: onClose })}
      />
    </Dialog>
  );
}

type SecretFormOptions = {
  field: { label: string; type?: string; autoComplete: string };
  submit: string;
  hint?: string;
  isBusy: boolean;
  error: Error | null;
  onGiven: (secret: string) => void;
};

/** One secret, typed in: a password or a code. */
function SecretForm({ field, submit, hint, isBusy, error, onGiven }: SecretFormOptions): ReactElement {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onGiven(String(new FormData(event.currentTarget).get('secret')).trim());
  };
  return (
    <form className="stack" aria-label={t('factor.title')} onSubmit={send}>
      <Field
        {...field}
        name="secret"
        maxLength={200}
        required
        hint={hint}
        error={error ? messageOf(error) : undefined}
      />
      <footer className="dialog-foot">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {submit}
        </Button>
      </footer>
    </form>
  );
}
