/** The fields of an item in the list: its duration, its share of the ads, the text of a card. */
import type { ReactElement } from 'react';
import { t, term } from '../../text/text.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import type { Item } from './draft.ts';

const SECOND_MS = 1_000;
/** The bounds of the API. */
const [SHOWN_S_MIN, SHOWN_S_MAX] = [1, 3_600];
const [SPONSOR_LENGTH_MAX, MESSAGE_LENGTH_MAX] = [80, 160];
const WEIGHT_MAX = 1_000;
const TEMPLATES = ['board', 'card', 'highlights'];

export type ItemFieldsOptions = {
  item: Item;
  onChange: (item: Item) => void;
  /** The API's faults of its fields, by name. */
  errors: Readonly<Record<string, string>>;
};

export function ItemFields({ item, onChange, errors }: ItemFieldsOptions): ReactElement {
  const set = (fields: Partial<Item>) => onChange({ ...item, ...fields });
  if (item.type === 'ad_slot')
    return (
      <Field
        label={t('playlist.weight')}
        type="number"
        min="0.1"
        max={WEIGHT_MAX}
        step="0.1"
        value={shown(item.weight ?? 1)}
        onChange={event => set({ weight: event.target.valueAsNumber })}
        error={errors['weight']}
        required
      />
    );
  return (
    <>
      {item.type === 'ai_menu' && (
        <SelectField
          label={t('playlist.template')}
          value={item.template ?? ''}
          onChange={event => set({ template: event.target.value })}
          error={errors['template']}
        >
          {TEMPLATES.map(template => (
            <option key={template} value={template}>
              {term('template', template)}
            </option>
          ))}
        </SelectField>
      )}
      {item.type === 'sponsorship_card' && <CardFields item={item} onChange={onChange} errors={errors} />}
      <Duration item={item} onChange={onChange} error={errors['duration_ms']} />
    </>
  );
}

function CardFields({ item, onChange, errors }: ItemFieldsOptions): ReactElement {
  const { message = '', ...rest } = item;
  return (
    <>
      <Field
        label={t('playlist.sponsor')}
        value={item.sponsor ?? ''}
        maxLength={SPONSOR_LENGTH_MAX}
        onChange={event => onChange({ ...item, sponsor: event.target.value })}
        error={errors['sponsor']}
        required
      />
      <Field
        label={t('playlist.message')}
        value={message}
        maxLength={MESSAGE_LENGTH_MAX}
        onChange={event => onChange(event.target.value === '' ? rest : { ...item, message: event.target.value })}
        error={errors['message']}
      />
    </>
  );
}

type DurationOptions = { item: Item; onChange: (item: Item) => void; error: string | undefined };

/** In seconds; a creative without a value uses its own duration. */
function Duration({ item, onChange, error }: DurationOptions): ReactElement {
  const { duration_ms: durationMs, ...rest } = item;
  const isOptional = item.type === 'creative';
  return (
    <Field
      label={t('playlist.seconds')}
      type="number"
      min={SHOWN_S_MIN}
      max={SHOWN_S_MAX}
      step={1}
      value={durationMs === undefined ? '' : shown(durationMs / SECOND_MS)}
      placeholder={isOptional ? t('playlist.ownTime') : undefined}
      onChange={event =>
        onChange(
          isOptional && event.target.value === ''
            ? rest
            : { ...item, duration_ms: Math.round(event.target.valueAsNumber * SECOND_MS) },
        )
      }
      error={error}
      required={!isOptional}
    />
  );
}

/** A number field that is being typed into holds none for a moment. */
function shown(value: number): number | '' {
  return Number.isNaN(value) ? '' : value;
}
