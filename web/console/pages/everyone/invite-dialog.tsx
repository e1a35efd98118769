/**
 * Inviting a person: address and role, then the link, which is shown once and handed over by the person who invites,
 * unless a mail has it.
 */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, useChange } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { currentLanguage, t, term, type Language } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { rolesToGive, type Role } from './roles.ts';
import { Fault } from '../../ui/states.tsx';

type Invite = { email: string; role: Role; language: Language };
type Made = AnswerOf<OperationOf<'/v1/invitations', 'post'>>;
/** The most common role; a mistaken invitation should not create an owner. */
const ROLE_FIRST: Role = 'manager';

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const { me } = useSession();
  const invite = useChange((api, body: Invite) => api.post('/v1/invitations', { body }));
  const roles = rolesToGive(me.role);
  const close = () => {
    invite.reset();
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const role = roles.find(one => one === fields.get('role')) ?? ROLE_FIRST;
    invite.mutate({ email: String(fields.get('email')).trim(), role, language: currentLanguage() });
  };
  const faults = fieldErrors(invite.error);
  return (
    <Dialog title={t('people.invite')} isOpen={isOpen} onClose={close}>
      {invite.data ? (
        <ShownOnce lead={leadOf(invite.data)} secret={invite.data.url} copyText={t('people.copy')} />
      ) : (
        <form className="stack" onSubmit={submit}>
          <Field label={t('signIn.email')} name="email" type="email" maxLength={320} required error={faults['email']} />
          <SelectField label={t('people.role')} name="role" defaultValue={ROLE_FIRST} hint={t('people.roleHint')}>
            {roles.map(role => (
              <option key={role} value={role}>
                {term('role', role)}
              </option>
            ))}
          </SelectField>
          {faults['email'] === undefined && <Fault error={invite.error} />}
          <footer className="dialog-foot">
            <Button kind="primary" type="submit" isBusy={invite.isPending}>
              {t('people.makeLink')}
            </Button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}

/** Whether a mail has the link, or why it has to be handed over. */
function leadOf({ email, mail: { state, problem } }: Made): string {
  if (state === 'off') return t('people.link', { email });
  if (state === 'sent') return t('people.mailed', { email });
  if (state === 'unknown' || problem === 'late') return t('people.mayBeMailed', { email });
  return t(problem === null ? 'people.link' : `people.notMailed.${problem}`, { email });
}
