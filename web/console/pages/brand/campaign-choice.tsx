/** The column of the list of campaigns in which a person chooses those to report on, pause or resume together. */
import type { ReactElement } from 'react';
import { t } from '../../text/text.ts';
import type { Column } from '../../ui/views/table.tsx';
import type { ListedCampaign } from './pace.ts';

export type Choice = { chosen: ReadonlySet<string>; onChoose: (chosen: ReadonlySet<string>) => void };

/** Above the column is a box for all of these rows. */
export function choiceColumn(rows: readonly ListedCampaign[], { chosen, onChoose }: Choice): Column<ListedCampaign> {
  const ids = rows.map(({ id }) => id);
  const count = ids.filter(id => chosen.has(id)).length;
  const isAll = count > 0 && count === ids.length;
  const toggled = (id: string) => new Set(chosen.has(id) ? [...chosen].filter(one => one !== id) : [...chosen, id]);
  return {
    head: t('campaigns.chooseAll'),
    headCell: (
      <ChoiceBox
        label={t('campaigns.chooseAll')}
        isChosen={isAll}
        isPart={count > 0 && !isAll}
        isDisabled={ids.length === 0}
        onChange={() => onChoose(new Set(isAll ? [] : ids))}
      />
    ),
    cell: ({ id, name }) => (
      <ChoiceBox
        label={t('campaigns.choose', { name })}
        isChosen={chosen.has(id)}
        onChange={() => onChoose(toggled(id))}
      />
    ),
    isChoice: true,
  };
}

type ChoiceBoxOptions = {
  label: string;
  isChosen: boolean;
  isPart?: boolean;
  isDisabled?: boolean;
  onChange: () => void;
};

function ChoiceBox({ label, isChosen, isPart = false, isDisabled = false, onChange }: ChoiceBoxOptions): ReactElement {
  return (
    <span className="choice-box">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChosen}
        disabled={isDisabled}
        ref={box => {
          if (box) box.indeterminate = isPart;
        }}
        onChange={onChange}
      />
    </span>
  );
}
