/** The last seven days of the installation, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { asOfField, dateField, moneyField } from '../../wire/shapes.ts';

export const OperatorWeek = Type.Object(
  {
    from: dateField('First of the seven days, UTC.'),
    to: dateField('Last of the seven days: today, UTC.'),
    as_of: asOfField('figures'),
    plays: Type.Object(
      {
        now: Type.Integer({ description: 'Counted plays of the seven days.' }),
        before: Type.Integer({ description: 'Counted plays of the seven days before.' }),
      },
      { description: 'Late plays excepted.' },
    ),
    spend: Type.Array(
      Type.Object({
        now: moneyField('Charges for plays of the seven days.'),
        before: moneyField('Charges for plays of the seven days before.'),
      }),
      { description: 'By currency, the highest first; before discounts and credits.' },
    ),
  },
  {
    title: 'OperatorWeek',
    description: 'Plays and spend of all live campaigns over the last seven days, and over the seven before.',
  },
);
export type OperatorWeek = Static<typeof OperatorWeek>;
