/** The effects of an edit: the changed parts of the campaign, the money, and a new review. */
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { mayRead, useSession } from '../../api/session.ts';
import { money } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { isReviewedAgain, moneyEffectOf, type ChangedField, type Changes } from './changes.ts';
import type { BookedCampaign, Plan } from './form/plan.ts';

export type EditEffectOptions = { campaign: BookedCampaign; plan: Plan; changes: Changes };

export function EditEffect({ campaign, plan, changes }: EditEffectOptions): ReactElement {
  const names = Object.keys(changes) as ChangedField[];
  return (
    <Card title={t('edit.effect')}>
      <div className="stack small" aria-live="polite">
        {names.length === 0 ? (
          <p className="muted">{t('edit.nothing')}</p>
        ) : (
          <p>{t('edit.changes', { fields: names.map(name => t(`edit.field.${name}`)).join(', ') })}</p>
        )}
        <MoneyLines campaign={campaign} plan={plan} />
        {isReviewedAgain(campaign, changes) && <p>{t('edit.reviewedAgain')}</p>}
        {campaign.status === 'live' && names.length > 0 && <p className="muted">{t('edit.atOnce')}</p>}
      </div>
    </Card>
  );
}

function MoneyLines({ campaign, plan }: Pick<EditEffectOptions, 'campaign' | 'plan'>): ReactElement | null {
  const { spent } = campaign;
  const effect = moneyEffectOf(campaign, plan);
  const session = useSession();
  const isAsked = effect.does === 'reserves' && mayRead(session, 'wallet');
  const wallet = useRead(['wallet'], (api, signal) => api.get('/v1/wallet', { signal }), { isWanted: isAsked });
  if (effect.does === 'nothing') return null;
  const lacks = isAsked && wallet.data !== undefined && wallet.data.balance.amount < effect.money.amount;
  return (
    <>
      <p>{t(`edit.money.${effect.does}`, { amount: money(effect.money) })}</p>
      {effect.does === 'refunds' && plan.amount < spent.amount && (
        <p className="notice is-bad">{t('edit.belowSpent', { spent: money(spent) })}</p>
      )}
      {isAsked && wallet.data && (
        <p className={lacks ? 'notice is-bad' : 'muted'}>
          {t(lacks ? 'edit.walletLacks' : 'edit.walletHas', { balance: money(wallet.data.balance) })}
        </p>
      )}
    </>
  );
}
