/** Creating a workspace: what it is and who owns it, then the link of the invitation, which is shown once. */
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, useChange } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CurrencyField } from '../../ui/currency-field.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { Fault } from '../../ui/states.tsx';

const KINDS = ['brand', 'venue', 'agency', 'operator'] as const;
type NewWorkspace = { kind: (typeof KINDS)[number]; name: string; currency: string; owner_email: string };

export function NewWorkspaceDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { currency } = useSession().me.workspace;
  const open = useChange((api, body: NewWorkspace) => api.post('/v1/operator/workspaces', { body }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name)).trim();
    open.mutate({
      kind: KINDS.find(one => one === fields.get('kind')) ?? 'brand',
      name: text('name'),
      currency: text('currency'),
      owner_email: text('owner_email'),
    });
  };
  const faults = fieldErrors(open.error);
  return (
    <Dialog title={t('workspaces.new')} isOpen onClose={onClose}>
      {open.data ? (
        <ShownOnce
          lead={t('people.link', { email: open.data.invitation.email })}
          secret={open.data.invitation.url}
          copyText={t('people.copy')}
        />
      ) : (
        <form className="stack" onSubmit={submit}>
          <SelectField label={t('signUp.kind')} name="kind">
            {KINDS.map(kind => (
              <option key={kind} value={kind}>
                {term('kind', kind)}
              </option>
            ))}
          </SelectField>
          <Field label={t('signUp.workspace')} name="name" maxLength={200} required error={faults['name']} />
          <CurrencyField chosen={currency} hint={t('signUp.currencyHint')} error={faults['currency']} />
          <Field
            label={t('workspaces.ownerEmail')}
            name="owner_email"
            type="email"
            maxLength={320}
            required
            error={faults['owner_email']}
          />
          {Object.keys(faults).length === 0 && <Fault error={open.error} />}
          <footer className="dialog-foot">
            <Button kind="primary" type="submit" isBusy={open.isPending}>
              {t('workspaces.create')}
            </Button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}
