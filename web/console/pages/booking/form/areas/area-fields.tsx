/**
 * The areas of a plan as fields next to the map, for people who cannot use a map or know the coordinates: position and
 * radius of each area, and a remove button.
 */
import { useRef, useState, type ChangeEvent, type ReactElement } from 'react';
import { t } from '../../../../text/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Field } from '../../../../ui/field.tsx';
import type { Area } from '../../../../ui/map/circle.ts';
import { parseAreas, type AreaFileFault } from './area-file.ts';
import { AREA_FIELDS, AREA_LIMITS, AREAS_MAX, isWithinLimits, type AreaField } from './area-limits.ts';

/** `faults` are those of the API by the place in the list and the field: `0/lat`; `` is one of the whole list. */
type Faults = Readonly<Record<string, string>>;
export type AreaFieldsOptions = { areas: readonly Area[]; onChange: (areas: Area[]) => void; faults: Faults };

export function AreaFields({ areas, onChange, faults }: AreaFieldsOptions): ReactElement {
  const list = useRef<HTMLFieldSetElement>(null);
  const remove = (at: number) => {
    onChange(areas.filter((_, other) => other !== at));
    list.current?.focus(); // the button that had the focus goes away
  };
  return (
    <fieldset className="choices" ref={list} tabIndex={-1}>
      <legend>{t('terms.areas')}</legend>
      <p className="hint">{t('areas.hint')}</p>
      <p className="hint" role="status">
        {t(areas.length === 0 ? 'areas.none' : 'areas.count', { count: areas.length })}
      </p>
      {areas.map((area, at) => (
        <AreaOf
          key={at}
          area={area}
          at={at}
          faults={faults}
          onChange={changed => onChange(areas.map((one, other) => (other === at ? changed : one)))}
          onRemove={() => remove(at)}
        />
      ))}
      {faults[''] !== undefined && <p className="field-error">{faults['']}</p>}
      <AreaFile areas={areas} onChange={onChange} />
    </fieldset>
  );
}

/** Adds the points of a CSV file, all of them or none. */
function AreaFile({ areas, onChange }: Pick<AreaFieldsOptions, 'areas' | 'onChange'>): ReactElement {
  const [fault, setFault] = useState<AreaFileFault>();
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const added = parseAreas((await target.files?.[0]?.text()) ?? '', AREAS_MAX - areas.length);
    target.value = ''; // the same file can be chosen again once it is mended
    setFault(Array.isArray(added) ? undefined : added);
    if (Array.isArray(added)) onChange([...areas, ...added]);
  };
  return (
    <Field
      label={t('areas.file')}
      hint={t('areas.fileHint')}
      type="file"
      accept=".csv,.txt,text/csv"
      onChange={event => void read(event)}
      error={fault && t(`areas.file.${fault.code}`, fault)}
    />
  );
}

type AreaOptions = { area: Area; at: number; faults: Faults; onChange: (area: Area) => void; onRemove: () => void };

function AreaOf({ area, at, faults, onChange, onRemove }: AreaOptions): ReactElement {
  const number = at + 1;
  return (
    <fieldset className="area">
      <legend>{t('areas.area', { number })}</legend>
      {AREA_FIELDS.map(field => (
        <Field
          key={field}
          label={t(`areas.${field}`, { number })}
          type="number"
          step="any"
          min={AREA_LIMITS[field][0]}
          max={AREA_LIMITS[field][1]}
          value={Number.isNaN(area[field]) ? '' : area[field]}
          onChange={event => onChange({ ...area, [field]: event.target.valueAsNumber })}
          error={faults[`${at}/${field}`] ?? faultOf(field, area[field])}
          required
        />
      ))}
      <Button aria-label={t('areas.removeOf', { number })} onClick={onRemove}>
        {t('areas.remove')}
      </Button>
      {faults[`${at}`] !== undefined && <p className="field-error">{faults[`${at}`]}</p>}
    </fieldset>
  );
}

/** The fault of a value before the API call; an empty field is not a fault yet. */
function faultOf(field: AreaField, value: number): string | undefined {
  if (Number.isNaN(value) || isWithinLimits(field, value)) return undefined;
  const [least, most] = AREA_LIMITS[field];
  return t('areas.outside', { least, most });
}
