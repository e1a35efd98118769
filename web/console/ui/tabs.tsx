/**
 * A choice between few views of the same thing: radio buttons that look like tabs, so that arrow keys move between
 * them.
 */
import { useId, type ReactElement } from 'react';

export type TabsOptions<Value extends string> = {
  label: string;
  tabs: readonly { value: Value; text: string }[];
  chosen: Value;
  onChoose: (value: Value) => void;
};

export function Tabs<Value extends string>({ label, tabs, chosen, onChoose }: TabsOptions<Value>): ReactElement {
  const name = useId();
  return (
    <div className="tabs" role="radiogroup" aria-label={label}>
      {tabs.map(({ value, text }) => (
        <label key={value} className="tab">
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}
