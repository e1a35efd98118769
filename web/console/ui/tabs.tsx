/**
 * A choice between few views of the same thing: radio buttons that look like tabs, so that arrow keys move between
 * them. Tabs with figures are tiles.
 */
import { useId, type ReactElement } from 'react';

type Tab<Value extends string> = { value: Value; text: string; figure?: string; note?: string };

export type TabsOptions<Value extends string> = {
  label: string;
  tabs: readonly Tab<Value>[];
  chosen: Value;
  onChoose: (value: Value) => void;
};

export function Tabs<Value extends string>({ label, tabs, chosen, onChoose }: TabsOptions<Value>): ReactElement {
  const name = useId();
  const areTiles = tabs.some(({ figure }) => figure !== undefined);
  return (
    <div className={areTiles ? 'tabs are-tiles' : 'tabs'} role="radiogroup" aria-label={label}>
      {tabs.map(({ value, text, figure, note }) => (
        <label key={value} className="tab">
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>
            {text} {figure !== undefined && <b>{figure}</b>} {note !== undefined && <small>{note}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}
