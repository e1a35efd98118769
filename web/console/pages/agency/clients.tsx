/** The clients of an agency: wallets that run out, the spend of this month, and switching to a client. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, useChange } from '../../api/api.ts';
import { useMayWrite, usePlaceChange, useSession } from '../../api/session.ts';
import { money, percent } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { AddButton, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CurrencyField } from '../../ui/currency-field.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { useFilter, useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { riskOf, type Client, type Risk } from './risk.ts';
import { useClients } from './use-clients.ts';
import { Fault } from '../../ui/states.tsx';

const ORDERS = ['risk', 'spend', 'name'] as const;
type Order = (typeof ORDERS)[number];
type NewClient = { name: string; billing_model: 'pass-through' | 'agency-billed'; currency: string };

export function Clients(): ReactElement {
  const [isMaking, setMaking] = useState(false);
  const { text, q, setText } = useSearchText();
  const [order, setOrder] = useFilter('sort', ORDERS);
  const mayWrite = useMayWrite('agency');
  const actFor = useActFor();
  const [status, setStatus] = useFilter('status', ['active', 'archived']);
  const list = useClients(q, status);
  const { rows, risks } = useMemo(() => {
    const ranked = inOrder(list.rows, order, Date.now());
    return {
      rows: ranked.map(({ client }) => client),
      risks: new Map(ranked.map(({ client, risk }) => [client.id, risk])),
    };
  }, [list.rows, order]);
  const make = mayWrite && <AddButton text={t('clients.make')} onClick={() => setMaking(true)} />;
  return (
    <Page title={t('nav.clients')} lead={t('clients.lead')} actions={make}>
      <NameFilter text={text} onText={setText} />
      <Tabs
        label={t('clients.order')}
        tabs={ORDERS.map(value => ({ value, text: t(`clients.by.${value}`) }))}
        chosen={order}
        onChoose={setOrder}
      />
      <div className="filters">
        <label className="check">
          <input
            type="checkbox"
            checked={status === 'archived'}
            onChange={event => setStatus(event.target.checked ? 'archived' : 'active')}
          />
          {t('clients.showArchived')}
        </label>
      </div>
      <ListTable
        of={{ ...list, rows }}
        empty={
          q === '' && status === 'active'
            ? { title: t('clients.none'), hint: t('clients.noneHint'), children: make }
            : { title: t('clients.noneFound') }
        }
        label={t('nav.clients')}
        columns={useMemo(() => columns(risks, actFor), [risks, actFor])}
        keyOf={client => client.id}
      />
      <NewClientDialog isOpen={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

/** Switches to a client: its campaigns, creatives and money, with the permissions of the agency. */
export function useActFor(): (client: string) => void {
  const { chooseClient } = useSession();
  const changePlace = usePlaceChange();
  return useCallback(
    (client: string) => changePlace('/campaigns', () => chooseClient(client)),
    [chooseClient, changePlace],
  );
}

type Ranked = { client: Client; risk: Risk };

function inOrder(clients: readonly Client[], order: Order, now: number): Ranked[] {
  const ranked = clients.map(client => ({ client, risk: riskOf(client, now) }));
  if (order === 'name') return ranked.sort((a, b) => a.client.name.localeCompare(b.client.name));
  const bySpend = (a: Ranked, b: Ranked) => b.client.mtd_spend.amount - a.client.mtd_spend.amount;
  return ranked.sort((a, b) => (order === 'risk' && b.risk.rank - a.risk.rank) || bySpend(a, b));
}

function columns(risks: ReadonlyMap<string, Risk>, actFor: (client: string) => void): Column<Client>[] {
  return [
    {
      head: t('clients.client'),
      cell: ({ id, name, billing_model: model }) => (
        <>
          <Link to="/clients/$id" params={{ id }}>
            {name}
          </Link>
          {model !== null && <div className="muted small">{term('billing', model)}</div>}
        </>
      ),
    },
    {
      head: t('clients.risk'),
      cell: ({ id }) => {
        const risk = risks.get(id);
        return risk && <span className={`health is-${risk.tone}`}>{t(risk.text, risk.values)}</span>;
      },
    },
    { head: t('clients.spend'), cell: ({ mtd_spend: spend }) => money(spend), isFigure: true },
    { head: t('wallet.balance'), cell: ({ wallet }) => money(wallet.balance), isFigure: true, isWide: true },
    { head: t('clients.discount'), cell: client => percent(client.discount_tier, 1), isFigure: true, isWide: true },
    {
      head: t('clients.act'),
      cell: ({ id, name }) => (
        <Button aria-label={t('clients.actForOf', { name })} onClick={() => actFor(id)}>
          {t('clients.actFor')}
        </Button>
      ),
      isFigure: true,
      isWide: true,
    },
  ];
}

function NewClientDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const { currency } = useSession().me.workspace;
  const navigate = useNavigate();
  const make = useChange((api, body: NewClient) => api.post('/v1/agency/clients', { body }));
  const errors = fieldErrors(make.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const body: NewClient = {
      name: String(fields.get('name')),
      billing_model: fields.get('billing') === 'agency-billed' ? 'agency-billed' : 'pass-through',
      currency: String(fields.get('currency')),
    };
    make.mutate(body, { onSuccess: ({ id }) => void navigate({ to: '/clients/$id', params: { id } }) });
  };
  return (
    <Dialog title={t('clients.make')} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={t('clients.name')} name="name" maxLength={200} error={errors['name']} required />
        <SelectField label={t('clients.billing')} name="billing">
          <option value="pass-through">{t('billing.pass-through')}</option>
          <option value="agency-billed">{t('billing.agency-billed')}</option>
        </SelectField>
        <CurrencyField chosen={currency} hint={t('clients.currencyHint')} error={errors['currency']} />
        {Object.keys(errors).length === 0 && <Fault error={make.error} />}
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={make.isPending}>
            {t('clients.make')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
