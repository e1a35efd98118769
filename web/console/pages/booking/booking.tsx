/**
 * Booking a campaign in one flow: places on the map, days, hours and a budget, with the forecast beside them as they
 * change, then what is shown. What the API refuses stands at the field that it names.
 */
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState, type FormEvent, type ReactElement } from 'react';
import { faultsBelow, fieldErrors, messageOf, useChange, useRead } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Choices, Field, SelectField } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import type { Area } from '../../ui/views/circle.ts';
import { AreaFields } from './area-fields.tsx';
import { AREAS_MAX } from './area-limits.ts';
import { useCities, type City } from './cities.ts';
import { CreativeChoice } from './creative-choice.tsx';
import { ForecastCard } from './forecast-card.tsx';
import { campaignOf, emptyPlan, type Plan } from './plan.ts';

const WorldMap = lazy(async () => ({ default: (await import('../../ui/views/world-map.tsx')).WorldMap }));
/** Venue types at the top; each stands for all below it. */
const CHIPS_MAX = 40;

type Change = (change: Partial<Plan>) => void;
type PartOptions = { plan: Plan; change: Change; errors: Readonly<Record<string, string>> };

export function Booking(): ReactElement {
  const { me } = useSession();
  const [plan, setPlan] = useState(() => emptyPlan(Date.now(), me.workspace.currency));
  const navigate = useNavigate();
  const book = useChange((api, booked: Plan) => api.post('/v1/campaigns', { body: campaignOf(booked) }));
  const change: Change = fields => setPlan(before => ({ ...before, ...fields }));
  const errors = fieldErrors(book.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    book.mutate(plan, { onSuccess: ({ id }) => void navigate({ to: '/campaigns/$id', params: { id } }) });
  };
  const part = { plan, change, errors };
  return (
    <Page title={t('booking.title')} lead={t('booking.lead')}>
      <form className="booking" onSubmit={submit}>
        <div className="stack">
          <Where {...part} areaFaults={faultsBelow(book.error, '/targets/areas')} />
          <When {...part} />
          <What {...part} />
        </div>
        <aside className="booking-side">
          <ForecastCard plan={plan} />
          {book.error && (
            <p className="notice is-bad" role="alert">
              {messageOf(book.error)}
            </p>
          )}
          <Button kind="primary" type="submit" isBusy={book.isPending} disabled={plan.creatives.length === 0}>
            {t('booking.submit')}
          </Button>
          <p className="hint">{t(plan.creatives.length === 0 ? 'booking.needsCreative' : 'booking.afterwards')}</p>
        </aside>
      </form>
    </Page>
  );
}

type WhereOptions = PartOptions & { areaFaults: Readonly<Record<string, string>> };

function Where({ plan, change, errors, areaFaults }: WhereOptions): ReactElement {
  const cities = useCities();
  const types = useRead(['venue types'], (api, signal) => api.get('/v1/venue-types', { signal }));
  const all = cities.data;
  const toggle = (name: string) =>
    change({ cities: plan.cities.includes(name) ? plan.cities.filter(city => city !== name) : [...plan.cities, name] });
  const bubbles = useMemo(() => (all ?? []).flatMap(city => bubbleOf(city, plan.cities)), [all, plan.cities]);
  const edit = {
    add: (area: Area) => change({ areas: [...plan.areas, area] }),
    change: (at: number, area: Area) => change({ areas: plan.areas.map((one, other) => (other === at ? area : one)) }),
    isFull: plan.areas.length >= AREAS_MAX,
  };
  const hasAreaFaults = Object.keys(areaFaults).length > 0;
  const parents = types.data?.data.filter(type => type.parent === null) ?? [];
  return (
    <Card title={t('booking.where')} note={t('booking.whereNote')}>
      <Suspense fallback={<Loading lines={6} />}>
        <WorldMap label={t('booking.map')} bubbles={bubbles} onToggle={toggle} areas={plan.areas} edit={edit} />
      </Suspense>
      <AreaFields areas={plan.areas} onChange={areas => change({ areas })} faults={areaFaults} />
      <Choices
        label={t('terms.cities')}
        options={(all ?? [])
          .slice(0, CHIPS_MAX)
          .map(({ name, screens }) => ({ value: name, text: name, note: t('booking.screens', { count: screens }) }))}
        chosen={plan.cities}
        onChange={chosen => change({ cities: chosen })}
      />
      <Choices
        label={t('terms.venueTypes')}
        options={parents.map(({ name }) => ({ value: name, text: term('venueType', name) }))}
        chosen={plan.venueTypes}
        onChange={chosen => change({ venueTypes: chosen })}
      />
      {errors['targets'] !== undefined && !hasAreaFaults && <p className="field-error">{errors['targets']}</p>}
    </Card>
  );
}

function bubbleOf({ name, screens, lat, lng }: City, chosen: readonly string[]) {
  if (lat === undefined || lng === undefined) return [];
  const label = `${name}: ${t('booking.screens', { count: screens })}`;
  return [{ name, label, lat, lng, weight: screens, isChosen: chosen.includes(name) }];
}

function When({ plan, change, errors }: PartOptions): ReactElement {
  return (
    <Card title={t('booking.when')} note={t('booking.whenNote')}>
      <div className="fields">
        <Field
          label={t('booking.starts')}
          type="date"
          value={plan.starts}
          onChange={event => change({ starts: event.target.value })}
          error={errors['schedule']}
          required
        />
        <Field
          label={t('booking.ends')}
          type="date"
          value={plan.ends}
          min={plan.starts}
          onChange={event => change({ ends: event.target.value })}
          required
        />
        <Field
          label={t('booking.from')}
          type="time"
          step={900}
          value={plan.from}
          onChange={event => change({ from: event.target.value })}
        />
        <Field
          label={t('booking.to')}
          type="time"
          step={900}
          value={plan.to}
          onChange={event => change({ to: event.target.value })}
        />
      </div>
      <Field
        label={t('booking.budget', { currency: plan.currency })}
        type="number"
        min="0.01"
        step="0.01"
        value={Number.isNaN(plan.amount) ? '' : plan.amount}
        onChange={event => change({ amount: event.target.valueAsNumber })}
        hint={t('booking.budgetHint')}
        error={errors['budget']}
        required
      />
    </Card>
  );
}

function What({ plan, change, errors }: PartOptions): ReactElement {
  const categories = useRead(['categories'], (api, signal) => api.get('/v1/categories', { signal }));
  const open = categories.data?.data.filter(category => category.policy !== 'prohibited') ?? [];
  const chosen = open.find(category => category.slug === plan.category);
  return (
    <Card title={t('booking.what')}>
      <div className="fields">
        <Field
          label={t('booking.name')}
          value={plan.name}
          onChange={event => change({ name: event.target.value })}
          maxLength={200}
          error={errors['name']}
          required
        />
        <SelectField
          label={t('terms.category')}
          value={plan.category}
          onChange={event => change({ category: event.target.value })}
          hint={chosen?.policy === 'restricted' ? t('booking.restricted') : undefined}
          error={errors['category']}
          required
        >
          <option value="">{t('booking.choose')}</option>
          {open.map(({ slug }) => (
            <option key={slug} value={slug}>
              {term('category', slug)}
            </option>
          ))}
        </SelectField>
      </div>
      <CreativeChoice
        chosen={plan.creatives}
        onChange={creatives => change({ creatives })}
        error={errors['creatives']}
      />
      <Field
        label={t('booking.landing')}
        type="url"
        placeholder="https://"
        value={plan.landingUrl}
        onChange={event => change({ landingUrl: event.target.value })}
        hint={t('booking.landingHint')}
        error={errors['landing_url']}
      />
    </Card>
  );
}
