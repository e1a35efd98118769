/** The people of a client's workspace. Each change is saved at once; a person who is removed loses their keys. */
import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactElement } from 'react';
import { isSameAddress } from '#domain/access/mail-address.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useSave } from '../../ui/feedback/save.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import type { Client } from './risk.ts';
import { Fault } from '../../ui/states.tsx';

type Seat = Client['seats'][number];
const ROLES: readonly Seat['role'][] = ['owner', 'admin', 'manager', 'finance', 'viewer'];

/** One change at a time, since the API takes the list of seats as a whole. */
type Save = UseMutationResult<unknown, Error, Seat[]>;

export function Seats({ client: { id, seats }, mayWrite }: { client: Client; mayWrite: boolean }): ReactElement {
  const save = useSave((api, body: Seat[]) =>
    api.patch('/v1/agency/clients/{id}', { path: { id }, body: { seats: body } }),
  );
  const isLast = seats.length === 1;
  return (
    <Card title={t('seats.title')} note={t('seats.note')}>
      <ul className="seats">
        {seats.map(({ email, role }) => (
          <li key={email}>
            <span>{email}</span>
            {mayWrite ? <RoleChoice seats={seats} email={email} save={save} /> : term('role', role)}
            {mayWrite && !isLast && <Remove seats={seats} email={email} save={save} />}
          </li>
        ))}
      </ul>
      {mayWrite && <AddSeat seats={seats} save={save} />}
      <Fault error={save.error} />
    </Card>
  );
}

type SeatOptions = { seats: readonly Seat[]; email: string; save: Save };

function RoleChoice({ seats, email, save }: SeatOptions): ReactElement {
  const shown = save.isPending ? save.variables : seats;
  const choose = (chosen: string) =>
    save.mutate(
      seats.map(seat =>
        seat.email === email ? { email, role: ROLES.find(role => role === chosen) ?? seat.role } : seat,
      ),
    );
  return (
    <select
      className="quiet-select"
      aria-label={t('people.roleOf', { name: email })}
      value={shown.find(seat => seat.email === email)?.role}
      disabled={save.isPending}
      onChange={event => choose(event.target.value)}
    >
      {ROLES.map(role => (
        <option key={role} value={role}>
          {term('role', role)}
        </option>
      ))}
    </select>
  );
}

function Remove({ seats, email, save }: SeatOptions): ReactElement {
  return (
    <Confirm
      label={t('people.remove')}
      title={t('people.removeTitle', { name: email })}
      hint={t('people.removeHint')}
      isBusy={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate(seats.filter(seat => seat.email !== email))}
    />
  );
}

function AddSeat({ seats, save }: Omit<SeatOptions, 'email'>): ReactElement {
  const [isTaken, setTaken] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const email = String(fields.get('email')).trim();
    const isKnown = seats.some(seat => isSameAddress(seat.email, email));
    setTaken(isKnown);
    if (isKnown) return;
    const role = ROLES.find(one => one === fields.get('role')) ?? 'viewer';
    save.mutate([...seats, { email, role }], { onSuccess: () => form.reset() });
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
      <Button type="submit" isBusy={save.isPending}>
        {t('seats.add')}
      </Button>
    </form>
  );
}
