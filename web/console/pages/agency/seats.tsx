/** The people of a client's workspace. The list is saved as a whole: removed people lose their keys. */
import { useState, type FormEvent, type ReactElement } from 'react';
import { isSameAddress } from '#domain/access/mail-address.ts';
import { useChange } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import type { Client } from './risk.ts';
import { Fault } from '../../ui/states.tsx';

type Seat = Client['seats'][number];
const ROLES: readonly Seat['role'][] = ['owner', 'admin', 'manager', 'finance', 'viewer'];

export function Seats({ client, mayWrite }: { client: Client; mayWrite: boolean }): ReactElement {
  const [seats, setSeats] = useState<readonly Seat[]>(client.seats);
  const save = useChange(api =>
    api.patch('/v1/agency/clients/{id}', { path: { id: client.id }, body: { seats: [...seats] } }),
  );
  const isChanged = JSON.stringify(seats) !== JSON.stringify(client.seats);
  const { warning } = useUnsaved(isChanged);
  const setRole = (email: string, role: Seat['role']) =>
    setSeats(seats.map(seat => (seat.email === email ? { email, role } : seat)));
  return (
    <Card title={t('seats.title')} note={t('seats.note')}>
      {warning}
      <ul className="seats">
        {seats.map(({ email, role }) => (
          <li key={email}>
            <span>{email}</span>
            <RoleChoice
              label={t('people.roleOf', { name: email })}
              role={role}
              isDisabled={!mayWrite}
              onChange={chosen => setRole(email, chosen)}
            />
            {mayWrite && (
              <button
                type="button"
                className="icon-button"
                aria-label={t('seats.remove', { email })}
                onClick={() => setSeats(seats.filter(seat => seat.email !== email))}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && <AddSeat taken={seats} onAdd={seat => setSeats([...seats, seat])} />}
      {mayWrite && (
        <div className="row">
          <Button
            kind="primary"
            onClick={() => save.mutate(undefined, { onSuccess: ({ seats: saved }) => setSeats(saved) })}
            disabled={!isChanged || seats.length === 0}
            isBusy={save.isPending}
          >
            {t('seats.save')}
          </Button>
          <Fault error={save.error} />
        </div>
      )}
    </Card>
  );
}

type RoleChoiceOptions = {
  label: string;
  role: Seat['role'];
  isDisabled: boolean;
  onChange: (role: Seat['role']) => void;
};

function RoleChoice({ label, role, isDisabled, onChange }: RoleChoiceOptions): ReactElement {
  return (
    <select
      className="quiet-select"
      aria-label={label}
      value={role}
      disabled={isDisabled}
      onChange={event => onChange(ROLES.find(one => one === event.target.value) ?? role)}
    >
      {ROLES.map(one => (
        <option key={one} value={one}>
          {term('role', one)}
        </option>
      ))}
    </select>
  );
}

function AddSeat({ taken, onAdd }: { taken: readonly Seat[]; onAdd: (seat: Seat) => void }): ReactElement {
  const [isTaken, setTaken] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const email = String(fields.get('email')).trim();
    const isKnown = taken.some(seat => isSameAddress(seat.email, email));
    setTaken(isKnown);
    if (isKnown) return;
    onAdd({ email, role: ROLES.find(one => one === fields.get('role')) ?? 'viewer' });
    form.reset();
  };
  return (
    <form className="fields add-seat" aria-label={t('seats.title')} onSubmit={submit}>
      <Field
        label={t('signIn.email')}
        name="email"
        type="email"
        maxLength={200}
        error={isTaken ? t('seats.taken') : undefined}
        required
      />
      <SelectField label={t('people.role')} name="role" defaultValue="manager">
        {ROLES.map(role => (
          <option key={role} value={role}>
            {term('role', role)}
          </option>
        ))}
      </SelectField>
      <Button type="submit">{t('seats.add')}</Button>
    </form>
  );
}
